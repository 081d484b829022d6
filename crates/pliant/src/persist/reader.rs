//! Reading what was kept.

use glam::DVec3;

use crate::math::{Mat3, Vec3};

use super::{Digest, HEADER, MAGIC, SnapshotError, VERSION};

/// Bytes that are read from front to back.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// What [`super::Writer::bytes`] tells.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// What [`super::Writer::seal`] made.
    ///
    /// # Errors
    ///
    /// Bytes that are not whole, or not a snapshot of this version.
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

    /// The error of a value that cannot be.
    pub fn bad(&self, what: &'static str) -> SnapshotError {
        SnapshotError::Value { what, at: self.at }
    }

    /// The next so many bytes.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.bad("a number"));
        };
        self.at += N;
        Ok(*bytes)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// A yes or no.
    pub fn flag(&mut self) -> Result<bool, SnapshotError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.bad("a yes or no")),
        }
    }

    /// A number.
    pub fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number.
    pub fn u64(&mut self) -> Result<u64, SnapshotError> {
        self.take().map(u64::from_le_bytes)
    }

    /// A number, whatever its bits.
    pub fn f64(&mut self) -> Result<f64, SnapshotError> {
        self.u64().map(f64::from_bits)
    }

    /// A vector.
    pub fn vector(&mut self) -> Result<DVec3, SnapshotError> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    /// As many numbers as there is room for.
    pub fn f64s(&mut self, room: &mut [f64]) -> Result<(), SnapshotError> {
        room.iter_mut().try_for_each(|slot| self.f64().map(|value| *slot = value))
    }

    /// As many vectors as there is room for.
    pub fn vectors(&mut self, room: &mut [DVec3]) -> Result<(), SnapshotError> {
        room.iter_mut().try_for_each(|slot| self.vector().map(|value| *slot = value))
    }

    /// As many matrices as there is room for; tells whether one of them was another.
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

    /// How many things follow of which each takes `least` bytes or more: no more than there are bytes for.
    pub fn count(&mut self, least: usize) -> Result<usize, SnapshotError> {
        let count = self.u32()? as usize;
        if count > (self.bytes.len() - self.at) / least.max(1) {
            return Err(self.bad("a count"));
        }
        Ok(count)
    }

    /// Makes sure that all was read.
    pub fn end(&self) -> Result<(), SnapshotError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.bad("what follows the end")) }
    }
}
