//! Reads the tags of a file: its arrays and the positions of their numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

/// The part of a piece that an array belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Points,
    Cells,
    PointData,
    CellData,
}

/// The position of an array's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Storage<'a> {
    /// Between its tags, as text.
    Text(&'a str),
    /// Between its tags, in base64.
    Base64(&'a str),
    /// In the appended data, from this offset.
    Appended(usize),
}

/// An array of numbers before decoding.
#[derive(Debug)]
pub(super) struct Array<'a> {
    pub(super) section: Section,
    pub(super) name: String,
    /// `Float64`, `Int32` and so on.
    pub(super) number: String,
    pub(super) components: usize,
    pub(super) storage: Storage<'a>,
    /// Offset of its tag, in bytes.
    pub(super) at: usize,
}

/// The data of all tags.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) source: Source<'a>,
    pub(super) big_endian: bool,
    /// Width of the header numbers of encoded arrays: 4 or 8 bytes.
    pub(super) header_bytes: usize,
    pub(super) compressed: bool,
    pub(super) point_count: usize,
    pub(super) cell_count: usize,
    pub(super) arrays: Vec<Array<'a>>,
    /// The data after the underscore of the appended part, and true if they are base64.
    pub(super) appended: Option<(&'a [u8], bool)>,
    piece_count: usize,
}

type Attributes = BTreeMap<String, String>;

impl<'a> Document<'a> {
    pub(super) fn parse(source: Source<'a>) -> Result<Self, ReadError> {
        let tags_end = source.find(b"<AppendedData", 0).unwrap_or(source.bytes.len());
        let text = str::from_utf8(&source.bytes[..tags_end]).map_err(|error| {
            source.unexpected(source.line(error.valid_up_to()), "bytes that are not text", "UTF-8")
        })?;
        let mut document = Self {
            source,
            big_endian: false,
            header_bytes: 4,
            compressed: false,
            point_count: 0,
            cell_count: 0,
            arrays: Vec::new(),
            appended: appended(&source, tags_end),
            piece_count: 0,
        };
        document.read_tags(&mut Reader::from_str(text))?;
        if document.piece_count == 0 {
            let found = "no <Piece>";
            return Err(source.unexpected(
                Place::File,
                found,
                "<VTKFile type=\"UnstructuredGrid\">",
            ));
        }
        Ok(document)
    }

    fn read_tags(&mut self, reader: &mut Reader<&'a [u8]>) -> Result<(), ReadError> {
        let mut section = None;
        loop {
            let at = reader.buffer_position() as usize;
            match self.event(reader)? {
                Event::Start(tag) if tag.name().0 == "DataArray" => {
                    let text = self.text_until_end(reader)?;
                    self.array(&tag, text, section, at)?;
                }
                Event::Start(tag) => self.open(&tag, &mut section, at)?,
                Event::Empty(tag) if tag.name().0 == "DataArray" => {
                    self.array(&tag, "", section, at)?;
                }
                Event::Empty(tag) => self.open(&tag, &mut None, at)?,
                Event::End(tag) if section_named(tag.name().0).is_some() => section = None,
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    fn event(&self, reader: &mut Reader<&'a [u8]>) -> Result<Event<'a>, ReadError> {
        reader.read_event().map_err(|error| {
            self.unexpected(reader.error_position() as usize, error.to_string(), "XML")
        })
    }

    /// Returns the numbers between the tags of an array, without the contents of nested tags.
    fn text_until_end(&self, reader: &mut Reader<&'a [u8]>) -> Result<&'a str, ReadError> {
        let (mut numbers, mut depth) = ("", 0);
        loop {
            match self.event(reader)? {
                Event::Text(text) if depth == 0 && numbers.is_empty() => {
                    if let Cow::Borrowed(text) = text.into_inner() {
                        numbers = text.trim();
                    }
                }
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return Ok(numbers),
                Event::End(_) => depth -= 1,
                Event::Eof => {
                    let at = self.source.bytes.len();
                    let found = "the end of the file";
                    return Err(self.unexpected(at, found, "`</DataArray>`"));
                }
                _ => {}
            }
        }
    }

    fn open(
        &mut self,
        tag: &BytesStart<'_>,
        section: &mut Option<Section>,
        at: usize,
    ) -> Result<(), ReadError> {
        match tag.name().0 {
            "VTKFile" => self.file(&self.attributes(tag, at)?, at),
            "Piece" => self.piece(&self.attributes(tag, at)?, at),
            name => {
                *section = section_named(name).or(*section);
                Ok(())
            }
        }
    }

    fn attributes(&self, tag: &BytesStart<'_>, at: usize) -> Result<Attributes, ReadError> {
        let invalid = |error: String| self.unexpected(at, error, "attributes in XML");
        let mut attributes = Attributes::new();
        // Repeated attributes are not checked: the check takes quadratic time.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| invalid(error.to_string()))?;
            // VTK itself writes names such as "a & b" without escapes.
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.unwrap_or_else(|_| attribute.value.clone());
            attributes.insert(attribute.key.0.to_owned(), value.into_owned());
        }
        Ok(attributes)
    }

    fn file(&mut self, attributes: &Attributes, at: usize) -> Result<(), ReadError> {
        let value = |key: &str| attributes.get(key).map_or("", String::as_str);
        if value("type") != "UnstructuredGrid" {
            let what = format!("a VTK file of type {}", quote(value("type").as_bytes()));
            let instead = "an UnstructuredGrid with volume cells is needed (.vtu)";
            return Err(self.unsupported(at, what, instead));
        }
        self.big_endian = value("byte_order") == "BigEndian";
        self.header_bytes = if value("header_type") == "UInt64" { 8 } else { 4 };
        self.compressed = match value("compressor") {
            "" => false,
            "vtkZLibDataCompressor" => true,
            other => {
                let instead = "save the file uncompressed or with zlib";
                return Err(self.unsupported(at, format!("compression by {other}"), instead));
            }
        };
        Ok(())
    }

    fn piece(&mut self, attributes: &Attributes, at: usize) -> Result<(), ReadError> {
        let (point_count, cell_count) = (
            self.attribute(attributes, "NumberOfPoints", at)?.unwrap_or(0),
            self.attribute(attributes, "NumberOfCells", at)?.unwrap_or(0),
        );
        self.piece_count += 1;
        if self.piece_count > 1 {
            let instead = "merge them first (ParaView: Merge Blocks)";
            return Err(self.unsupported(at, "a grid in several pieces", instead));
        }
        (self.point_count, self.cell_count) = (point_count, cell_count);
        Ok(())
    }

    /// Parses an attribute that is a count.
    fn attribute(
        &self,
        attributes: &Attributes,
        key: &str,
        at: usize,
    ) -> Result<Option<usize>, ReadError> {
        let Some(text) = attributes.get(key) else { return Ok(None) };
        let value: Result<u32, _> = text.trim().parse();
        let value = value.map_err(|_| {
            let found = format!("{key}={}", quote(text.as_bytes()));
            self.unexpected(at, found, "a number from 0 to 4294967295")
        })?;
        Ok(Some(value as usize))
    }

    fn array(
        &mut self,
        tag: &BytesStart<'_>,
        text: &'a str,
        section: Option<Section>,
        at: usize,
    ) -> Result<(), ReadError> {
        let Some(section) = section else { return Ok(()) };
        let attributes = self.attributes(tag, at)?;
        let value = |key: &str| attributes.get(key).cloned().unwrap_or_default();
        let format = value("format");
        let storage = match format.as_str() {
            "ascii" | "" => Storage::Text(text),
            "binary" => Storage::Base64(text),
            "appended" => {
                let offset = value("offset").trim().parse().ok();
                Storage::Appended(offset.ok_or_else(|| {
                    let found = format!("offset={}", quote(value("offset").as_bytes()));
                    self.unexpected(at, found, "an offset into <AppendedData>")
                })?)
            }
            _ => {
                let found = format!("format={}", quote(format.as_bytes()));
                return Err(self.unexpected(at, found, "ascii, binary or appended"));
            }
        };
        let components = self.attribute(&attributes, "NumberOfComponents", at);
        let components = components?.unwrap_or(1).max(1);
        let (name, number) = (value("Name"), value("type"));
        self.arrays.push(Array { section, name, number, components, storage, at });
        Ok(())
    }

    /// Returns an error at an offset. Lines are counted only here, once.
    pub(super) fn unexpected(
        &self,
        at: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        self.source.unexpected(self.source.line(at), found, expected)
    }

    /// Returns an error for unsupported content at an offset.
    pub(super) fn unsupported(
        &self,
        at: usize,
        what: impl Into<String>,
        instead: impl Into<String>,
    ) -> ReadError {
        self.source.unsupported(self.source.line(at), what, instead)
    }

    /// Returns the arrays of a section.
    pub(super) fn in_section(&self, section: Section) -> impl Iterator<Item = &Array<'a>> {
        self.arrays.iter().filter(move |array| array.section == section)
    }

    /// Returns a required array; for points any name is accepted.
    pub(super) fn required(&self, section: Section, name: &str) -> Result<&Array<'a>, ReadError> {
        let fits = |array: &&Array<'_>| section == Section::Points || array.name == name;
        self.in_section(section).find(fits).ok_or_else(|| {
            let found = format!("no array `{name}` in <{section:?}>");
            self.source.unexpected(Place::File, found, "one")
        })
    }
}

fn section_named(name: &str) -> Option<Section> {
    match name {
        "Points" => Some(Section::Points),
        "Cells" => Some(Section::Cells),
        "PointData" => Some(Section::PointData),
        "CellData" => Some(Section::CellData),
        _ => None,
    }
}

/// Returns the data after the underscore of `<AppendedData encoding="…">_`, and true if they are base64.
fn appended<'a>(source: &Source<'a>, tag: usize) -> Option<(&'a [u8], bool)> {
    let tag_end = source.find(b">", tag)?;
    let base64 = source.bytes[tag..tag_end].windows(6).any(|window| window == b"base64");
    let start = source.find(b"_", tag_end)? + 1;
    let rest = &source.bytes[start..];
    // Raw data may contain any byte, so only base64 text has a known end.
    let end = if base64 { rest.iter().position(|byte| *byte == b'<') } else { None };
    Some((&rest[..end.unwrap_or(rest.len())], base64))
}
