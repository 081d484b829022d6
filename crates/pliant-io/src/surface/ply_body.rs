//! Reads the numbers after the header of a PLY file.

use crate::error::{Place, ReadError};
use crate::source::Source;

use super::ply_header::{Encoding, Property, Type};

/// Reads the numbers one by one.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) source: Source<'a>,
    pub(super) encoding: Encoding,
    pub(super) bytes: &'a [u8],
    /// Offset of the next byte.
    pub(super) at: usize,
    /// Line of the next byte, in text.
    pub(super) line: usize,
}

impl<'a> Body<'a> {
    pub(super) fn place(&self) -> Place {
        match self.encoding {
            Encoding::Text => Place::Line(self.line),
            _ => self.source.byte(self.at),
        }
    }

    /// Number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Reads the next number of a type.
    pub(super) fn number(&mut self, kind: Type) -> Result<f64, ReadError> {
        match self.encoding {
            Encoding::Text => {
                let word = self.word()?;
                self.source.number(self.place(), word)
            }
            Encoding::LittleEndian => self.binary(kind, false),
            Encoding::BigEndian => self.binary(kind, true),
        }
    }

    /// Skips a property of any type.
    pub(super) fn skip(&mut self, property: &Property) -> Result<(), ReadError> {
        let count = property.length.map_or(Ok(1), |kind| self.length(kind))?;
        (0..count).try_for_each(|_| match self.encoding {
            Encoding::Text => self.word().map(drop),
            _ => self.take(property.value.size()).map(drop),
        })
    }

    /// Reads the length of a list. No list is longer than the rest of the file.
    pub(super) fn length(&mut self, kind: Type) -> Result<usize, ReadError> {
        let place = self.place();
        self.whole(place, kind, self.left(), "a list length")
    }

    /// Reads a whole number from 0 to `most`.
    pub(super) fn whole(
        &mut self,
        place: Place,
        kind: Type,
        most: usize,
        what: &str,
    ) -> Result<usize, ReadError> {
        let value = self.number(kind)?;
        self.checked_whole(place, value, most, what)
    }

    /// Returns a number that was read at `place` if it is whole and from 0 to `most`.
    pub(super) fn checked_whole(
        &self,
        place: Place,
        value: f64,
        most: usize,
        what: &str,
    ) -> Result<usize, ReadError> {
        if value.fract() == 0.0 && (0.0..=most as f64).contains(&value) {
            return Ok(value as usize);
        }
        Err(self.source.unexpected(place, value.to_string(), format!("{what} from 0 to {most}")))
    }

    fn word(&mut self) -> Result<&'a [u8], ReadError> {
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.take(end.max(1))
    }

    /// Returns the next bytes of a binary body or a word.
    fn take(&mut self, size: usize) -> Result<&'a [u8], ReadError> {
        let Some(bytes) = self.bytes.get(self.at..self.at + size) else {
            return Err(self.truncated());
        };
        self.at += size;
        Ok(bytes)
    }

    fn binary(&mut self, kind: Type, big: bool) -> Result<f64, ReadError> {
        let (source, place, size) = (self.source, self.place(), kind.size());
        let mut low_first = [0; 8];
        low_first[..size].copy_from_slice(self.take(size)?);
        if big {
            low_first[..size].reverse();
        }
        let value = decode(kind, low_first);
        if value.is_finite() {
            return Ok(value);
        }
        Err(source.unexpected(place, value.to_string(), "a finite number"))
    }

    fn truncated(&self) -> ReadError {
        let expected =
            "another number: the file is cut short, or a count in its header is too large";
        self.source.unexpected(self.place(), "the end of the file", expected)
    }
}

/// Decodes a number from its first bytes, lowest byte first.
fn decode(kind: Type, bytes: [u8; 8]) -> f64 {
    let [a, b, c, d, ..] = bytes;
    match kind {
        Type::I8 => i8::from_le_bytes([a]).into(),
        Type::U8 => a.into(),
        Type::I16 => i16::from_le_bytes([a, b]).into(),
        Type::U16 => u16::from_le_bytes([a, b]).into(),
        Type::I32 => i32::from_le_bytes([a, b, c, d]).into(),
        Type::U32 => u32::from_le_bytes([a, b, c, d]).into(),
        Type::F32 => f32::from_le_bytes([a, b, c, d]).into(),
        Type::F64 => f64::from_le_bytes(bytes),
    }
}
