//! The message with the pinned nodes.

use bytes::Bytes;
use serde::Serialize;

use super::envelope::{Kind, Payload, encode};

#[derive(Debug, Serialize)]
struct Header {
    generation: u64,
    pins: Vec<PinHeader>,
}

#[derive(Debug, Serialize)]
struct PinHeader {
    body: usize,
    pin: usize,
    offset: usize,
    count: usize,
    led: bool,
    mine: bool,
}

/// A pin in the message.
#[derive(Debug)]
pub(crate) struct HeldPin<'a> {
    /// Index of the body.
    pub(crate) body: usize,
    /// Index of the pin in the body.
    pub(crate) pin: usize,
    /// The pinned nodes.
    pub(crate) nodes: &'a [u32],
    /// True if the pin moves.
    pub(crate) led: bool,
    /// True if the pin was made on the page.
    pub(crate) mine: bool,
}

/// Builds the message for these pins.
pub(crate) fn message<'a>(generation: u64, pins: impl Iterator<Item = HeldPin<'a>>) -> Bytes {
    let mut payload = Payload::default();
    let pins = pins.map(|HeldPin { body, pin, nodes, led, mine }| {
        let buffer = payload.integers(nodes.iter().copied());
        PinHeader { body, pin, offset: buffer.offset, count: buffer.count, led, mine }
    });
    let header = Header { generation, pins: pins.collect() };
    encode(Kind::Held, &header, &[&payload.bytes])
}
