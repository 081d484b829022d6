//! The bytes of a file, and the errors about them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Place, ReadError};

/// Maximum length of a quote from a file in an error, in bytes.
const MAX_QUOTED_BYTES: usize = 40;

/// Maximum size of a file, in bytes: it is read into memory whole.
const MAX_FILE_BYTES: u64 = 2 << 30;

/// A whole file in memory, with the path for errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Path in errors; it need not exist.
    pub(crate) path: &'a Path,
    /// Contents of the file.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Source<'a> {
    /// Returns the error for content other than the `expected` one.
    pub(crate) fn unexpected(
        &self,
        place: Place,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ReadError {
        let (found, expected) = (found.into(), expected.into());
        ReadError::Unexpected { path: self.path.to_owned(), place, found, expected }
    }

    /// Returns the error for content that is valid but not supported.
    pub(crate) fn unsupported(
        &self,
        place: Place,
        what: impl Into<String>,
        instead: impl Into<String>,
    ) -> ReadError {
        let (what, instead) = (what.into(), instead.into());
        ReadError::Unsupported { path: self.path.to_owned(), place, what, instead }
    }

    /// Returns the line of an offset, counted from 1.
    pub(crate) fn line(&self, at: usize) -> Place {
        let before = &self.bytes[..at.min(self.bytes.len())];
        Place::Line(1 + before.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Returns the offset of `needle` at or after `from`.
    pub(crate) fn find(&self, needle: &[u8], from: usize) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        rest.windows(needle.len()).position(|window| window == needle).map(|at| from + at)
    }
}

/// Reads a file into memory.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        // A device has no end, so reading stops one byte past the limit.
        let mut file = file.take(MAX_FILE_BYTES + 1);
        check_file_size(file.get_ref().metadata()?.len())?;
        file.read_to_end(&mut bytes)?;
        check_file_size(bytes.len() as u64)
    });
    read.map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    Ok(bytes)
}

fn check_file_size(length: u64) -> io::Result<()> {
    if length <= MAX_FILE_BYTES {
        return Ok(());
    }
    let what = "it is larger than 2 GiB; split it or use a coarser mesh";
    Err(io::Error::new(io::ErrorKind::FileTooLarge, what))
}

/// Returns the extension in lower case; empty if there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Describes the extension of a path for errors.
pub(crate) fn named_extension(path: &Path) -> String {
    match extension(path).as_str() {
        "" => "no extension".into(),
        extension => format!("extension `.{extension}`"),
    }
}

/// Quotes a part of a file for errors.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_QUOTED_BYTES)]);
    let dots = if bytes.len() > MAX_QUOTED_BYTES { "…" } else { "" };
    format!("`{}{dots}`", text.trim_end().escape_debug())
}
