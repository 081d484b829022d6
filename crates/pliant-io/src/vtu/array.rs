//! Decodes the numbers of an array from any encoding.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::error::ReadError;
use crate::source::quote;

use super::base64_stream::first_bytes;
use super::xml::{Array, Document, Storage};

/// Upper bound of the compression ratio of zlib.
const ZLIB_RATIO: usize = 1100;

/// Bytes that begin with a header, raw or in base64.
enum Stream<'a> {
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

impl<'a> Stream<'a> {
    /// Returns the first `count` bytes.
    fn first(&self, count: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Raw(bytes) => bytes.get(..count).map(Cow::Borrowed),
            Self::Base64(text) if count > text.len() => None,
            Self::Base64(text) => first_bytes(text, count).map(Cow::Owned),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Raw(bytes) | Self::Base64(bytes) => bytes.len(),
        }
    }
}

impl Document<'_> {
    /// Returns `count` tuples of the array as reals.
    pub(super) fn reals(&self, array: &Array<'_>, count: usize) -> Result<Vec<f64>, ReadError> {
        let count = self.value_count(array, count)?;
        if let Storage::Text(text) = array.storage {
            return self.words(array, text, count);
        }
        let width = self.width(array)?;
        let bytes = self.bytes(array, count, width)?;
        let value: fn(&[u8]) -> f64 = match array.number.as_str() {
            "Float32" => |b| f64::from(f32::from_le_bytes(fixed(b))),
            "Float64" => |b| f64::from_le_bytes(fixed(b)),
            _ if array.number.starts_with('U') => |b| unsigned(b) as f64,
            _ => |b| signed(b) as f64,
        };
        Ok(self.values(&bytes, width, value))
    }

    /// Returns `count` tuples of the array as integers.
    pub(super) fn integers(&self, array: &Array<'_>, count: usize) -> Result<Vec<i64>, ReadError> {
        if array.number.starts_with("Float") {
            let found = format!("array `{}` of {}", array.name, array.number);
            return Err(self.unexpected(array.at, found, "integers"));
        }
        let count = self.value_count(array, count)?;
        if let Storage::Text(text) = array.storage {
            return self.words(array, text, count);
        }
        let width = self.width(array)?;
        let bytes = self.bytes(array, count, width)?;
        let value: fn(&[u8]) -> i64 = match array.number.starts_with('U') {
            // A value that does not fit is out of the range of any index, and so is the maximum.
            true => |b| i64::try_from(unsigned(b)).unwrap_or(i64::MAX),
            false => signed,
        };
        Ok(self.values(&bytes, width, value))
    }

    fn value_count(&self, array: &Array<'_>, count: usize) -> Result<usize, ReadError> {
        count.checked_mul(array.components).ok_or_else(|| self.wrong_length(array, count))
    }

    fn words<T: std::str::FromStr>(
        &self,
        array: &Array<'_>,
        text: &str,
        count: usize,
    ) -> Result<Vec<T>, ReadError> {
        let mut values = Vec::new();
        for word in text.split_ascii_whitespace() {
            values.push(word.parse().map_err(|_| {
                let found = format!("{} in array `{}`", quote(word.as_bytes()), array.name);
                self.unexpected(array.at, found, "a number")
            })?);
        }
        if values.len() == count { Ok(values) } else { Err(self.wrong_length(array, count)) }
    }

    /// Returns the width of a number in bytes.
    fn width(&self, array: &Array<'_>) -> Result<usize, ReadError> {
        match array.number.as_str() {
            "Int8" | "UInt8" => Ok(1),
            "Int16" | "UInt16" => Ok(2),
            "Int32" | "UInt32" | "Float32" => Ok(4),
            "Int64" | "UInt64" | "Float64" => Ok(8),
            other => {
                let found = format!("type {} of array `{}`", quote(other.as_bytes()), array.name);
                Err(self.unexpected(array.at, found, "Float64, Int64 or the like"))
            }
        }
    }

    /// Decodes each number from its bytes in little-endian order.
    fn values<T>(&self, bytes: &[u8], width: usize, value: fn(&[u8]) -> T) -> Vec<T> {
        let ordered = |chunk: &[u8]| {
            let mut bytes: [u8; 8] = fixed(chunk);
            if self.big_endian {
                bytes[..width].reverse();
            }
            value(&bytes[..width])
        };
        bytes.chunks_exact(width).map(ordered).collect()
    }

    fn bytes<'b>(
        &'b self,
        array: &Array<'b>,
        count: usize,
        width: usize,
    ) -> Result<Cow<'b, [u8]>, ReadError> {
        let stream = match (array.storage, self.appended) {
            (Storage::Base64(text), _) => Some(Stream::Base64(text.as_bytes())),
            (Storage::Appended(offset), Some((all, base64))) => all
                .get(offset..)
                .map(|rest| if base64 { Stream::Base64(rest) } else { Stream::Raw(rest) }),
            _ => None,
        };
        let wanted = count.checked_mul(width);
        let decoded = stream.zip(wanted).and_then(|(stream, wanted)| {
            if self.compressed {
                self.inflated(&stream, wanted)
            } else {
                self.plain(&stream, wanted)
            }
        });
        decoded.ok_or_else(|| self.wrong_length(array, count))
    }

    fn wrong_length(&self, array: &Array<'_>, count: usize) -> ReadError {
        let found = format!("array `{}` cut short, too long or garbled", array.name);
        self.unexpected(array.at, found, format!("{count} numbers"))
    }

    /// Reads a length in bytes, then the bytes.
    fn plain<'b>(&self, stream: &Stream<'b>, wanted: usize) -> Option<Cow<'b, [u8]>> {
        let length = self.header(stream, 0)?;
        if length != wanted {
            return None;
        }
        let start = self.header_bytes;
        match stream.first(start.checked_add(wanted)?)? {
            Cow::Borrowed(all) => Some(Cow::Borrowed(&all[start..])),
            Cow::Owned(mut all) => {
                all.drain(..start);
                Some(Cow::Owned(all))
            }
        }
    }

    /// Reads compressed blocks: number of blocks, block size, size of the last block, compressed sizes, data.
    fn inflated<'b>(&self, stream: &Stream<'b>, wanted: usize) -> Option<Cow<'b, [u8]>> {
        // These checks come first, so that a wrong header cannot allocate much memory.
        if wanted > stream.len().saturating_mul(ZLIB_RATIO) {
            return None;
        }
        let block_count = self.header(stream, 0)?;
        if block_count > stream.len() {
            return None;
        }
        let header = stream.first((3 + block_count) * self.header_bytes)?;
        let sizes: Vec<usize> = header
            .chunks_exact(self.header_bytes)
            .skip(3)
            .map(|bytes| self.header_number(bytes))
            .collect();
        let total = sizes.iter().try_fold(header.len(), |sum, size| sum.checked_add(*size))?;
        let all = stream.first(total)?;
        let mut rest = &all[header.len()..];
        let mut result = Vec::new();
        for size in sizes {
            let (block, others) = rest.split_at(size);
            // One byte more than needed is read, to detect a block that is too long.
            let left = (wanted - result.len()) as u64;
            ZlibDecoder::new(block).take(left + 1).read_to_end(&mut result).ok()?;
            if result.len() > wanted {
                return None;
            }
            rest = others;
        }
        (result.len() == wanted).then_some(Cow::Owned(result))
    }

    /// Returns a number of the header.
    fn header(&self, stream: &Stream<'_>, index: usize) -> Option<usize> {
        let bytes = stream.first((index + 1) * self.header_bytes)?;
        Some(self.header_number(&bytes[index * self.header_bytes..]))
    }

    fn header_number(&self, bytes: &[u8]) -> usize {
        let mut bytes = bytes.to_vec();
        if self.big_endian {
            bytes.reverse();
        }
        usize::try_from(unsigned(&bytes)).unwrap_or(usize::MAX)
    }
}

/// Returns little-endian bytes as an array, padded with zeros.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|k| bytes.get(k).copied().unwrap_or(0))
}

/// Returns an unsigned integer of any width.
fn unsigned(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(fixed(bytes))
}

/// Returns a signed integer of any width.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len().min(8);
    (unsigned(bytes) << unused) as i64 >> unused
}
