//! The common format of binary messages.

use bytes::Bytes;
use serde::Serialize;

/// The kind of a binary message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// Positions of all nodes at one time.
    Frame = 1,
    /// A surface and the weights of its nodes.
    Model = 2,
    /// Pinned nodes.
    Held = 3,
}

/// Number of bytes before the JSON.
pub const HEADER_BYTES: usize = 8;

/// Builds a message: kind, length of the JSON, the JSON padded with spaces to a multiple of four, the payload.
pub(crate) fn encode(kind: Kind, header: &impl Serialize, payload: &[&[u8]]) -> Bytes {
    let size = payload.iter().map(|part| part.len()).sum::<usize>();
    let mut message = Vec::with_capacity(size + 2048);
    message.extend_from_slice(&(kind as u32).to_le_bytes());
    message.extend_from_slice(&[0; 4]);
    serde_json::to_writer(&mut message, header).expect("plain structs become JSON");
    message.resize(message.len().next_multiple_of(4), b' ');
    let length = (message.len() - HEADER_BYTES) as u32;
    message[4..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
    payload.iter().for_each(|part| message.extend_from_slice(part));
    Bytes::from(message)
}

/// Splits a binary message into kind, JSON and payload; `None` if it is truncated.
pub fn decode(message: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let number = |at: usize| Some(u32::from_le_bytes(message.get(at..at + 4)?.try_into().ok()?));
    let (kind, length) = (number(0)?, number(4)? as usize);
    let rest = message.get(HEADER_BYTES..)?;
    Some((kind, rest.get(..length)?, rest.get(length..)?))
}

/// A buffer in a payload: its offset in bytes, and its number of four-byte values.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Buffer {
    pub(crate) offset: usize,
    pub(crate) count: usize,
}

/// A payload under construction.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
}

impl Payload {
    /// Adds integers.
    pub(crate) fn integers(&mut self, numbers: impl IntoIterator<Item = u32>) -> Buffer {
        self.add(numbers.into_iter().map(u32::to_le_bytes))
    }

    /// Adds floating-point numbers.
    pub(crate) fn real(&mut self, numbers: impl IntoIterator<Item = f32>) -> Buffer {
        self.add(numbers.into_iter().map(f32::to_le_bytes))
    }

    fn add(&mut self, numbers: impl Iterator<Item = [u8; 4]>) -> Buffer {
        let offset = self.bytes.len();
        numbers.for_each(|number| self.bytes.extend_from_slice(&number));
        Buffer { offset, count: (self.bytes.len() - offset) / 4 }
    }

    /// Adds raw bytes, padded to a multiple of four.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }
}
