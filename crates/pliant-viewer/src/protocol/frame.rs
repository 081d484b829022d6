//! The message of a frame.

use bytes::Bytes;
use serde::Serialize;

use super::envelope::{Buffer, Kind, encode};
use super::field::FieldName;
use crate::engine::frame::{EventNote, Frame, GrabNote, Milliseconds, MovedObstacle, SkippedWork};

/// The largest number of events in a frame.
const MAX_EVENTS: usize = 64;

/// The optional data that a page wants, and the events it has received.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrameOptions {
    /// The field to colour by.
    pub(crate) field: Option<FieldName>,
    /// True if contacts are wanted.
    pub(crate) contacts: bool,
    /// Number of the last event that the page has received.
    pub(crate) events: u64,
}

/// The JSON part of the message.
#[derive(Debug, Serialize)]
pub(crate) struct Header<'a> {
    frame: u64,
    serial: u64,
    generation: u64,
    time: f64,
    playing: bool,
    pace: f64,
    behind: bool,
    ms: &'a Milliseconds,
    budget_ms: f64,
    given_up: Option<SkippedWork>,
    fps: f64,
    energy: Option<EnergyInfo>,
    residual: f64,
    iterations: u32,
    unknowns: usize,
    asleep: &'a [u32],
    reset: &'a [u32],
    grabs: &'a [GrabNote],
    probes: &'a [[f64; 3]],
    obstacles: &'a [MovedObstacle],
    events: Vec<&'a EventNote>,
    missed: u64,
    nodes: Buffer,
    field: Option<FieldHeader>,
    contacts: Option<Buffer>,
}

#[derive(Debug, Serialize)]
struct EnergyInfo {
    elastic: f64,
    kinetic: f64,
}

#[derive(Debug, Serialize)]
struct FieldHeader {
    name: FieldName,
    unit: &'static str,
    offset: usize,
    count: usize,
    low: f32,
    high: f32,
}

/// Builds the JSON part of a frame for one page.
pub(crate) fn header<'a>(frame: &'a Frame, wanted: &FrameOptions) -> Header<'a> {
    let new = frame.events.iter().filter(|event| event.number > wanted.events);
    let new: Vec<&EventNote> = new.collect();
    let sent = &new[new.len().saturating_sub(MAX_EVENTS)..];
    let last = frame.events.last().map_or(wanted.events, |event| event.number);
    let energy = frame.energy();
    let nodes = &frame.positions;
    let field = wanted.field.map(|name| {
        let values = frame.field(name);
        let (low, high) = (values.low, values.high);
        let (offset, count) = (nodes.len(), values.bytes.len() / 4);
        FieldHeader { name, unit: name.unit(), offset, count, low, high }
    });
    let before = nodes.len() + field.as_ref().map_or(0, |field| 4 * field.count);
    let contacts =
        wanted.contacts.then(|| Buffer { offset: before, count: frame.contacts().len() / 4 });
    Header {
        frame: frame.frame,
        serial: frame.serial,
        generation: frame.shown_scene.generation,
        time: frame.time,
        playing: frame.run.playing,
        pace: frame.pace,
        behind: frame.behind,
        ms: &frame.ms,
        budget_ms: frame.budget_ms,
        given_up: frame.given_up,
        fps: frame.fps,
        energy: energy
            .map(|energy| EnergyInfo { elastic: energy.elastic, kinetic: energy.kinetic }),
        residual: frame.residual,
        iterations: frame.iterations,
        unknowns: frame.unknowns,
        asleep: &frame.asleep,
        reset: &frame.reset,
        grabs: &frame.grabs,
        probes: &frame.probes,
        obstacles: &frame.obstacles,
        missed: (last - wanted.events).saturating_sub(sent.len() as u64),
        events: sent.to_vec(),
        nodes: Buffer { offset: 0, count: nodes.len() / 4 },
        field,
        contacts,
    }
}

/// Builds the message of a frame for one page, and marks its events as sent.
pub(crate) fn message(frame: &Frame, wanted: &mut FrameOptions) -> Bytes {
    let header = header(frame, wanted);
    wanted.events = frame.events.last().map_or(wanted.events, |event| event.number);
    let field = wanted.field.map_or(&[][..], |name| &frame.field(name).bytes);
    let contacts = if wanted.contacts { frame.contacts() } else { &[] };
    encode(Kind::Frame, &header, &[&frame.positions, field, contacts])
}
