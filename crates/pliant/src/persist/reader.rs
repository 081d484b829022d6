//! Reading a snapshot.

use glam::DVec3;

use pliant_kernels::math::{Digest, Mat3, Vec3};

use super::error::SnapshotError;
use super::format::{HEADER, MAGIC, VERSION};

/// A cursor over the bytes of a snapshot.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads bytes without a header, as [`super::Writer::bytes`] returns them.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Checks the header of bytes that [`super::Writer::seal`] returned, and reads what follows it.
    ///
    /// # Errors
    ///
    /// Bytes that are incomplete, damaged, or not a snapshot of this version.
    pub fn open(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let mut header = Self::new(bytes);
        if bytes.get(..MAGIC.len()) != Some(&MAGIC[..]) {
            return Err(SnapshotError::NotASnapshot);
        }
        header.at = MAGIC.len();
        let short =
            |_| SnapshotError::Length { found: bytes.len() as u64, expected: HEADER as u64 };
        let version = header.u32().map_err(short)?;
        if version != VERSION {
            return Err(SnapshotError::Version { found: version, known: VERSION });
        }
        let length = header.u64().map_err(short)?;
        let written = header.u64().map_err(short)?;
        if length != bytes.len() as u64 {
            return Err(SnapshotError::Length { found: bytes.len() as u64, expected: length });
        }
        let found = Digest::default().bytes(&bytes[HEADER..]).value();
        if found != written {
            return Err(SnapshotError::Damaged { found, expected: written });
        }
        Ok(Self::new(&bytes[HEADER..]))
    }

    /// The error of an invalid value at this position.
    pub fn bad(&self, what: &'static str) -> SnapshotError {
        SnapshotError::Value { what, at: self.at }
    }

    /// The next `N` bytes.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.bad("a number"));
        };
        self.at += N;
        Ok(*bytes)
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// Reads a boolean.
    pub fn flag(&mut self) -> Result<bool, SnapshotError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.bad("a yes or no")),
        }
    }

    /// Reads an unsigned integer.
    pub fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.take().map(u32::from_le_bytes)
    }

    /// Reads an unsigned integer.
    pub fn u64(&mut self) -> Result<u64, SnapshotError> {
        self.take().map(u64::from_le_bytes)
    }

    /// Reads a number with any bit pattern, NaN included.
    pub fn f64(&mut self) -> Result<f64, SnapshotError> {
        self.u64().map(f64::from_bits)
    }

    /// Reads a vector.
    pub fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    /// Fills `room` with numbers.
    pub fn f64s(&mut self, room: &mut [f64]) -> Result<(), SnapshotError> {
        room.iter_mut().try_for_each(|slot| self.f64().map(|value| *slot = value))
    }

    /// Fills `room` with vectors.
    pub fn vectors(&mut self, room: &mut [DVec3]) -> Result<(), SnapshotError> {
        room.iter_mut().try_for_each(|slot| self.vector().map(|value| *slot = value))
    }

    /// Fills `room` with matrices; true if one of them changed.
    pub fn matrices(&mut self, room: &mut [Mat3]) -> Result<bool, SnapshotError> {
        let mut changed = false;
        for Vec3(column) in room.iter_mut().flat_map(|matrix| &mut matrix.0) {
            for slot in column {
                let value = self.f64()?;
                changed |= slot.to_bits() != value.to_bits();
                *slot = value;
            }
        }
        Ok(changed)
    }

    /// Reads the number of items that follow, each of at least `least` bytes; an error if there are too few bytes for
    /// them.
    pub fn count(&mut self, least: usize) -> Result<usize, SnapshotError> {
        let count = self.u32()? as usize;
        if count > (self.bytes.len() - self.at) / least.max(1) {
            return Err(self.bad("a count"));
        }
        Ok(count)
    }

    /// Checks that all bytes were read.
    pub fn end(&self) -> Result<(), SnapshotError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.bad("what follows the end")) }
    }
}
