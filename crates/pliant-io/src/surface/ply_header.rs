//! Reads the header of a PLY file.

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

/// Encoding of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of a number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Type {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Size in a binary body, in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The value of full intensity of a colour channel.
    pub(super) fn full_scale(self) -> f64 {
        match self {
            Self::I8 | Self::U8 => 255.0,
            Self::I16 | Self::U16 => 65535.0,
            Self::I32 | Self::U32 => 4294967295.0,
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// A property of an element: one number, or a list preceded by its length.
#[derive(Debug, Clone)]
pub(super) struct Property {
    pub(super) name: Vec<u8>,
    pub(super) value: Type,
    pub(super) length: Option<Type>,
}

/// A table of the file.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) name: Vec<u8>,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// Minimum size of a row, in bytes.
    pub(super) fn min_row_bytes(&self, encoding: Encoding) -> usize {
        let size = |property: &Property| match encoding {
            // A digit and a separator; the last separator of a file may be missing.
            Encoding::Text => 2,
            _ => property.length.unwrap_or(property.value).size(),
        };
        self.properties.iter().map(size).sum()
    }
}

#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Offset of the body, in bytes, and its first line.
    pub(super) body: usize,
    pub(super) body_line: usize,
}

pub(super) fn parse_header(bytes: &[u8], source: Source<'_>) -> Result<Header, ReadError> {
    let mut parser = Parser { source, place: Place::Line(1), encoding: None, elements: Vec::new() };
    let mut start = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        parser.place = Place::Line(index + 1);
        start += line.len();
        let line = line.trim_ascii();
        if index == 0 {
            parser.expect(line == b"ply", line, "`ply`")?;
        } else if line == b"end_header" {
            return parser.finish(start, index + 2);
        } else {
            parser.line(line)?;
        }
    }
    Err(source.unexpected(parser.place, "the end of the file", "`end_header`"))
}

struct Parser<'a> {
    source: Source<'a>,
    place: Place,
    encoding: Option<Encoding>,
    elements: Vec<Element>,
}

impl Parser<'_> {
    fn line(&mut self, line: &[u8]) -> Result<(), ReadError> {
        let words: Vec<&[u8]> =
            line.split(|byte| *byte == b' ').filter(|w| !w.is_empty()).collect();
        match words[..] {
            [b"comment" | b"obj_info", ..] | [] => Ok(()),
            [b"format", encoding, version] => self.format(encoding, version),
            [b"element", name, count] => self.element(name, count),
            [b"property", b"list", length, value, name] => self.property(Some(length), value, name),
            [b"property", value, name] => self.property(None, value, name),
            _ => self.expect(false, line, "format, element, property, comment or end_header"),
        }
    }

    fn format(&mut self, encoding: &[u8], version: &[u8]) -> Result<(), ReadError> {
        self.encoding = match encoding {
            b"ascii" => Some(Encoding::Text),
            b"binary_little_endian" => Some(Encoding::LittleEndian),
            b"binary_big_endian" => Some(Encoding::BigEndian),
            _ => None,
        };
        let known = "ascii, binary_little_endian or binary_big_endian";
        self.expect(self.encoding.is_some(), encoding, known)?;
        self.expect(version == b"1.0", version, "version 1.0")
    }

    fn element(&mut self, name: &[u8], count: &[u8]) -> Result<(), ReadError> {
        let parsed = std::str::from_utf8(count).ok().and_then(|text| text.parse().ok());
        self.expect(parsed.is_some(), count, "a number of elements")?;
        let (name, count) = (name.to_vec(), parsed.unwrap_or(0));
        self.elements.push(Element { name, count, properties: Vec::new() });
        Ok(())
    }

    fn property(
        &mut self,
        length: Option<&[u8]>,
        value: &[u8],
        name: &[u8],
    ) -> Result<(), ReadError> {
        let typed = |name: &[u8]| {
            let expected = "a type such as float, double, uchar or int";
            Type::named(name)
                .ok_or_else(|| self.source.unexpected(self.place, quote(name), expected))
        };
        let length = length.map(typed).transpose()?;
        let property = Property { name: name.to_vec(), value: typed(value)?, length };
        match self.elements.last_mut() {
            Some(element) => element.properties.push(property),
            None => self.expect(false, b"property", "an element before its first property")?,
        }
        Ok(())
    }

    fn expect(&self, holds: bool, found: &[u8], expected: &str) -> Result<(), ReadError> {
        if holds { Ok(()) } else { Err(self.source.unexpected(self.place, quote(found), expected)) }
    }

    fn finish(self, body: usize, body_line: usize) -> Result<Header, ReadError> {
        let missing =
            || self.source.unexpected(self.place, "no format line", "`format` in the header");
        let encoding = self.encoding.ok_or_else(missing)?;
        Ok(Header { encoding, elements: self.elements, body, body_line })
    }
}
