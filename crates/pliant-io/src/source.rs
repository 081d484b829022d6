//! The bytes of a file, and how to speak of them in errors.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Place, ReadError};

/// Longest piece of a file that an error quotes.
const QUOTE: usize = 40;

/// Largest file that is read, in bytes: it is held in memory whole.
const MOST_BYTES: u64 = 2 << 30;

/// The whole of a file in memory, with the path that errors name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Named in errors; need not exist.
    pub(crate) path: &'a Path,
    /// What the file holds.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Source<'a> {
    /// Something else stands where the format asks for `expected`.
    pub(crate) fn unexpected(
        &self,
        place: Place,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        let (found, expected) = (found.into(), expected.into());
        ReadError::Unexpected { path: self.path.to_owned(), place, found, expected }
    }

    /// Well formed, but more than is supported.
    pub(crate) fn unsupported(
        &self,
        place: Place,
        what: impl Into<String>,
        instead: impl Into<String>,
    ) -> ReadError {
        let (what, instead) = (what.into(), instead.into());
        ReadError::Unsupported { path: self.path.to_owned(), place, what, instead }
    }

    /// The line an offset lies on, counted from 1.
    pub(crate) fn line(&self, at: usize) -> Place {
        let before = &self.bytes[..at.min(self.bytes.len())];
        Place::Line(1 + before.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Offset of `needle` at or after `from`.
    pub(crate) fn find(&self, needle: &[u8], from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        rest.windows(needle.len()).position(|window| window == needle).map(|at| from + at)
    }
}

/// Reads a file into memory.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        // A device has no end: what does not fit is not even counted.
        let mut file = file.take(MOST_BYTES + 1);
        refuse_beyond(file.get_ref().metadata()?.len())?;
        file.read_to_end(&mut bytes)?;
        refuse_beyond(bytes.len() as u64)
    });
    read.map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    Ok(bytes)
}

fn refuse_beyond(length: u64) -> io::Result<()> {
    if length <= MOST_BYTES {
        return Ok(());
    }
    let what = "it holds more than 2 GiB; cut it into parts or use a coarser mesh";
    Err(io::Error::new(io::ErrorKind::FileTooLarge, what))
}

/// Extension in lower case, empty if there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The extension of a path as an error names it.
pub(crate) fn named_extension(path: &Path) -> String {
    match extension(path).as_str() {
        "" => "no extension".into(),
        extension => format!("extension `.{extension}`"),
    }
}

/// A piece of a file as an error quotes it.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTE)]);
    let dots = if bytes.len() > QUOTE { "…" } else { "" };
    format!("`{}{dots}`", text.trim_end().escape_debug())
}
