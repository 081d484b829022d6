//! Which nodes are pinned.

use bytes::Bytes;
use serde::Serialize;

use super::envelope::{Kind, Payload, sealed};

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

/// A pin, as the message tells it.
#[derive(Debug)]
pub(crate) struct HeldPin<'a> {
    /// Its body.
    pub(crate) body: usize,
    /// Its place among the pins of the body.
    pub(crate) pin: usize,
    /// What it holds.
    pub(crate) nodes: &'a [u32],
    /// Whether it moves.
    pub(crate) led: bool,
    /// Whether a person made it here.
    pub(crate) mine: bool,
}

/// The message for these pins.
pub(crate) fn message<'a>(generation: u64, pins: impl Iterator<Item = HeldPin<'a>>) -> Bytes {
    let mut payload = Payload::default();
    let pins = pins.map(|HeldPin { body, pin, nodes, led, mine }| {
        let buffer = payload.whole(nodes.iter().copied());
        PinHeader { body, pin, offset: buffer.offset, count: buffer.count, led, mine }
    });
    let header = Header { generation, pins: pins.collect() };
    sealed(Kind::Held, &header, &[&payload.bytes])
}
