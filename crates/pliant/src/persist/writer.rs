//! Writing a snapshot.

use glam::DVec3;

use pliant_kernels::math::{Digest, Mat3};

use super::format::{HEADER, MAGIC, VERSION};

/// The bytes of a snapshot while it is written.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Adds a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Adds a boolean.
    pub fn flag(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    /// Adds an unsigned integer.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds an unsigned integer.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a number as its bits.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Adds a vector.
    pub fn vector(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|number| self.f64(number));
    }

    /// Adds numbers without their count, which the reader knows.
    pub fn f64s(&mut self, values: &[f64]) {
        self.bytes.reserve(8 * values.len());
        values.iter().for_each(|value| self.f64(*value));
    }

    /// Adds vectors without their count, which the reader knows.
    pub fn vectors(&mut self, values: &[DVec3]) {
        self.bytes.reserve(24 * values.len());
        values.iter().for_each(|value| self.vector(*value));
    }

    /// Adds matrices without their count, which the reader knows.
    pub fn matrices(&mut self, values: &[Mat3]) {
        self.bytes.reserve(72 * values.len());
        values.iter().flat_map(|matrix| matrix.0).for_each(|column| self.f64s(&column.0));
    }

    /// The bytes written so far, without a header.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes written so far, after a header with magic, version, length and checksum.
    pub fn seal(&self) -> Vec<u8> {
        let length = HEADER + self.bytes.len();
        let mut sealed = Vec::with_capacity(length);
        sealed.extend_from_slice(&MAGIC);
        sealed.extend_from_slice(&VERSION.to_le_bytes());
        sealed.extend_from_slice(&(length as u64).to_le_bytes());
        sealed.extend_from_slice(&Digest::default().bytes(&self.bytes).value().to_le_bytes());
        sealed.extend_from_slice(&self.bytes);
        sealed
    }
}
