//! Reads numbers of a text or binary file through the same functions.

use glam::DVec3;

use crate::error::{Place, ReadError};
use crate::scanner::{Scanner, checked_count, expected_finite};
use crate::source::quote;

/// Byte order of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Encoding of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberEncoding {
    Text,
    Binary {
        order: ByteOrder,
        /// Width of the integers that version 4.1 calls `size_t`.
        size_bytes: usize,
    },
}

/// Minimum size of a number in text, in bytes: a digit and a separator.
const TEXT_BYTES: usize = 2;

/// A file whose header is already read.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) scanner: Scanner<'a>,
    encoding: NumberEncoding,
}

impl<'a> Input<'a> {
    pub(super) fn new(scanner: Scanner<'a>, encoding: NumberEncoding) -> Self {
        Self { scanner, encoding }
    }

    pub(super) fn is_binary(&self) -> bool {
        self.encoding != NumberEncoding::Text
    }

    pub(super) fn encoding_name(&self) -> &'static str {
        if self.is_binary() { "binary" } else { "text" }
    }

    /// Reads the name of the next section, or `None` at the end of the file.
    pub(super) fn next_section(&mut self) -> Result<Option<&'a [u8]>, ReadError> {
        let Some(word) = self.scanner.next_word() else { return Ok(None) };
        let name = word.strip_prefix(b"$").filter(|name| !name.starts_with(b"End"));
        let name =
            name.ok_or_else(|| self.unexpected(quote(word), "a section such as `$Nodes`"))?;
        self.scanner.rest_of_line();
        Ok(Some(name))
    }

    /// Skips the end mark of a section.
    pub(super) fn end_section(&mut self, name: &[u8]) -> Result<(), ReadError> {
        let place = self.place();
        let word = self.scanner.next_word();
        if word.and_then(|word| word.strip_prefix(b"$End")) == Some(name) {
            return Ok(());
        }
        let found = word.map_or("the end of the file".into(), quote);
        let expected = format!("`$End{}`", String::from_utf8_lossy(name));
        Err(self.scanner.source.unexpected(place, found, expected))
    }

    /// Skips a section up to its end mark.
    pub(super) fn skip_section(&mut self, name: &[u8]) -> Result<(), ReadError> {
        let mark = [b"$End", name].concat();
        let end = self.scanner.source.find(&mark, self.scanner.at);
        self.scanner.at = end.ok_or_else(|| {
            self.unexpected("the end of the file", format!("`{}`", String::from_utf8_lossy(&mark)))
        })?;
        Ok(())
    }

    /// Position of the next number.
    pub(super) fn place(&self) -> Place {
        if self.is_binary() {
            self.scanner.source.byte(self.scanner.at)
        } else {
            self.scanner.line()
        }
    }

    /// Returns an error at the value just read.
    pub(super) fn unexpected(
        &self,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        self.scanner.source.unexpected(self.place(), found, expected)
    }

    /// Reads an `int` of four bytes.
    pub(super) fn int(&mut self, expected: &str) -> Result<i64, ReadError> {
        match self.encoding {
            NumberEncoding::Text => self.scanner.number(expected),
            NumberEncoding::Binary { order, .. } => {
                let bytes = self.bytes::<4>(expected)?;
                Ok(i64::from(match order {
                    ByteOrder::Little => i32::from_le_bytes(bytes),
                    ByteOrder::Big => i32::from_be_bytes(bytes),
                }))
            }
        }
    }

    /// Reads a `size_t` of the width given in the header.
    pub(super) fn size(&mut self, expected: &str) -> Result<u64, ReadError> {
        match self.encoding {
            NumberEncoding::Text => self.scanner.number(expected),
            NumberEncoding::Binary { order: ByteOrder::Little, size_bytes: 4 } => {
                Ok(u64::from(u32::from_le_bytes(self.bytes(expected)?)))
            }
            NumberEncoding::Binary { order: ByteOrder::Big, size_bytes: 4 } => {
                Ok(u64::from(u32::from_be_bytes(self.bytes(expected)?)))
            }
            NumberEncoding::Binary { order: ByteOrder::Little, .. } => {
                Ok(u64::from_le_bytes(self.bytes(expected)?))
            }
            NumberEncoding::Binary { order: ByteOrder::Big, .. } => {
                Ok(u64::from_be_bytes(self.bytes(expected)?))
            }
        }
    }

    /// Reads a real number, which may be NaN or infinite.
    pub(super) fn any_real(&mut self, expected: &str) -> Result<f64, ReadError> {
        match self.encoding {
            NumberEncoding::Text => self.scanner.number(expected),
            NumberEncoding::Binary { order: ByteOrder::Little, .. } => {
                Ok(f64::from_le_bytes(self.bytes(expected)?))
            }
            NumberEncoding::Binary { order: ByteOrder::Big, .. } => {
                Ok(f64::from_be_bytes(self.bytes(expected)?))
            }
        }
    }

    /// Reads three finite coordinates.
    pub(super) fn point(&mut self) -> Result<DVec3, ReadError> {
        let mut point = [0.0; 3];
        for x in &mut point {
            *x = self.any_real("a coordinate")?;
            if !x.is_finite() {
                return Err(self.unexpected(x.to_string(), expected_finite("a coordinate")));
            }
        }
        Ok(DVec3::from(point))
    }

    /// Reads a count of items of at least `bytes` bytes each (see [`Self::bytes_of`]).
    pub(super) fn count(&mut self, bytes: usize, expected: &str) -> Result<usize, ReadError> {
        let count = self.size(expected)?;
        self.checked_count(count, bytes, expected)
    }

    /// Checks a count against the size of the file, before memory is allocated for it.
    pub(super) fn checked_count(
        &self,
        count: u64,
        bytes: usize,
        expected: &str,
    ) -> Result<usize, ReadError> {
        let left = self.scanner.rest().len();
        checked_count(&self.scanner.source, self.place(), count, bytes, left, expected)
    }

    /// Minimum size of this many numbers, in bytes.
    pub(super) fn bytes_of(&self, ints: usize, sizes: usize, reals: usize) -> usize {
        match self.encoding {
            NumberEncoding::Text => TEXT_BYTES * (ints + sizes + reals),
            NumberEncoding::Binary { size_bytes, .. } => 4 * ints + size_bytes * sizes + 8 * reals,
        }
    }

    fn bytes<const N: usize>(&mut self, expected: &str) -> Result<[u8; N], ReadError> {
        let bytes = self.scanner.rest().first_chunk::<N>();
        let bytes = bytes.ok_or_else(|| self.unexpected("the end of the file", expected))?;
        self.scanner.at += N;
        Ok(*bytes)
    }
}
