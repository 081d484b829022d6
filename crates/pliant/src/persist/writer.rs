//! Writing what is kept.

use glam::DVec3;

use crate::math::Mat3;

use super::{Digest, HEADER, MAGIC, VERSION};

/// Bytes that grow.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Adds a byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Adds a yes or no.
    pub fn flag(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    /// Adds a number.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a number.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Adds a number, by its bits.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Adds a vector.
    pub fn vector(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|number| self.f64(number));
    }

    /// Adds numbers, of which the reader knows how many they are.
    pub fn f64s(&mut self, values: &[f64]) {
        self.bytes.reserve(8 * values.len());
        values.iter().for_each(|value| self.f64(*value));
    }

    /// Adds vectors, of which the reader knows how many they are.
    pub fn vectors(&mut self, values: &[DVec3]) {
        self.bytes.reserve(24 * values.len());
        values.iter().for_each(|value| self.vector(*value));
    }

    /// Adds matrices, of which the reader knows how many they are.
    pub fn matrices(&mut self, values: &[Mat3]) {
        self.bytes.reserve(72 * values.len());
        values.iter().flat_map(|matrix| matrix.0).for_each(|column| self.f64s(&column.0));
    }

    /// What was written, by itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was written, with a mark, the version, its length and a checksum before it.
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
