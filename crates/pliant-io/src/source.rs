//! The bytes of a file, and the errors about them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Place, ReadError};

/// Maximum length of a quote from a file in an error, in bytes.
const MAX_QUOTED_BYTES: usize = 40;

/// Maximum size of a file, in bytes: it is read into memory whole.
const MAX_FILE_BYTES: u64 = 2 << 30;

/// The byte-order mark of UTF-8, which some programs write at the start of a text file.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// A whole file in memory, with the path for errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Path in errors; it need not exist.
    pub(crate) path: &'a Path,
    /// Contents of the file, without a byte-order mark.
    pub(crate) bytes: &'a [u8],
    /// Length of the byte-order mark, in bytes.
    mark_bytes: usize,
}

impl<'a> Source<'a> {
    /// Creates the source of a file that may be binary. A byte-order mark of UTF-8 is skipped.
    pub(crate) fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        let text = without_mark(bytes);
        Self { path, bytes: text, mark_bytes: bytes.len() - text.len() }
    }

    /// Creates the source of a file that begins with text.
    ///
    /// # Errors
    /// Returns an error with the command that converts the file if it is in UTF-16 or UTF-32.
    pub(crate) fn text(path: &'a Path, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let source = Self::new(path, bytes);
        match wide_encoding(bytes) {
            None => Ok(source),
            Some(encoding) => Err(source.unsupported(
                Place::File,
                format!("text in {encoding}"),
                format!("save it as UTF-8: `iconv -f {encoding} -t UTF-8 OLD > NEW`"),
            )),
        }
    }

    /// Returns the place of an offset into [`Self::bytes`] in the file.
    pub(crate) fn byte(&self, at: usize) -> Place {
        Place::Byte(self.mark_bytes + at)
    }

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

/// Returns the bytes after a byte-order mark of UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)
}

/// Returns the name of an encoding with two or four bytes per character, if the text begins in one: with a
/// byte-order mark, or with two ASCII characters.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    let ascii = |byte: u8| (1..128).contains(&byte);
    match *bytes.first_chunk::<4>()? {
        [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [a, 0, b, 0] if ascii(a) && ascii(b) => Some("UTF-16LE"),
        [0, a, 0, b] if ascii(a) && ascii(b) => Some("UTF-16BE"),
        _ => None,
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
