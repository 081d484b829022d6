//! Reads words, numbers and lines of a text file.

use std::str::{self, FromStr};

use glam::DVec3;

use crate::error::{Place, ReadError};
use crate::source::{Source, quote};

/// Reads a file word by word.
///
/// Lines are counted only for errors.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    pub(crate) source: Source<'a>,
    /// Offset of the next byte.
    pub(crate) at: usize,
    /// The character that begins a comment up to the end of the line, if any.
    comment: Option<u8>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(source: Source<'a>) -> Self {
        Self { source, at: 0, comment: None }
    }

    /// Skips comments that begin with `mark` and end with their line.
    pub(crate) fn with_comments(self, mark: u8) -> Self {
        Self { comment: Some(mark), ..self }
    }

    /// The unread bytes.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.source.bytes[self.at.min(self.source.bytes.len())..]
    }

    /// The line of the next byte.
    pub(crate) fn line(&self) -> Place {
        self.source.line(self.at)
    }

    /// Returns the rest of the current line, trimmed, and moves to the next line.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        rest[..length].trim_ascii()
    }

    /// Skips white space, line ends and comments.
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(&byte) = self.source.bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if Some(byte) == self.comment {
                self.rest_of_line();
            } else {
                break;
            }
        }
    }

    /// Reads the next word, or `None` at the end of the file.
    pub(crate) fn next_word(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let rest = self.rest();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || Some(*byte) == self.comment;
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// Returns the next word without moving.
    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next_word()
    }

    /// Reads the next word; an error at the end of the file.
    pub(crate) fn word(&mut self, expected: &str) -> Result<&'a [u8], ReadError> {
        self.next_word()
            .ok_or_else(|| self.source.unexpected(self.line(), "the end of the file", expected))
    }

    /// Reads the next word as a number.
    pub(crate) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, ReadError> {
        let word = self.word(expected)?;
        let parsed = str::from_utf8(word).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.unexpected_word(word, expected))
    }

    /// Reads the next word as a finite number.
    pub(crate) fn real(&mut self, expected: &str) -> Result<f64, ReadError> {
        let value: f64 = self.number(expected)?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.source.unexpected(self.line(), value.to_string(), expected_finite(expected)))
    }

    /// Reads three coordinates.
    pub(crate) fn point(&mut self) -> Result<DVec3, ReadError> {
        let mut coordinate = || self.real("a coordinate");
        Ok(DVec3::new(coordinate()?, coordinate()?, coordinate()?))
    }

    /// Reads a count of items; an error if the rest of the file is too short for items of at least `bytes` bytes.
    pub(crate) fn count(&mut self, bytes: usize, expected: &str) -> Result<usize, ReadError> {
        let count: u64 = self.number(expected)?;
        checked_count(&self.source, self.line(), count, bytes, self.rest().len(), expected)
    }

    /// Returns the error for an unexpected word that was just read.
    pub(crate) fn unexpected_word(&self, word: &[u8], expected: impl Into<String>) -> ReadError {
        self.source.unexpected(self.line(), quote(word), expected)
    }
}

/// Returns the expected text of an error about NaN or infinity.
pub(crate) fn expected_finite(expected: &str) -> String {
    format!("{expected} that is finite")
}

/// Checks a count against the bytes left, before memory is allocated for it.
pub(crate) fn checked_count(
    source: &Source<'_>,
    place: Place,
    count: u64,
    bytes: usize,
    left: usize,
    expected: &str,
) -> Result<usize, ReadError> {
    // Indices are 32 bits wide.
    let most = (left / bytes.max(1)).min(u32::MAX as usize);
    if count <= most as u64 {
        return Ok(count as usize);
    }
    let found = format!("{expected} of {count}");
    Err(source.unexpected(place, found, format!("at most {most}: the file ends after that")))
}
