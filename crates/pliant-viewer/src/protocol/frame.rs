//! The message of a frame.

use bytes::Bytes;
use serde::Serialize;

use super::envelope::{Buffer, Kind, sealed};
use super::field::FieldName;
use crate::engine::frame::{EventNote, Frame, GrabNote, Milliseconds, MovedObstacle, Sacrifice};

/// The largest number of events in a frame.
const MOST_EVENTS: usize = 64;

/// The optional data that a page wants, and the events it has received.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
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
    given_up: Option<Sacrifice>,
    fps: f64,
    energy: Option<EnergyNumbers>,
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
struct EnergyNumbers {
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
pub(crate) fn header<'a>(frame: &'a Frame, wanted: &Wanted) -> Header<'a> {
    let new = frame.events.iter().filter(|event| event.number > wanted.events);
    let new: Vec<&EventNote> = new.collect();
    let told = &new[new.len().saturating_sub(MOST_EVENTS)..];
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
        generation: frame.cast.generation,
        time: frame.time,
        playing: frame.run.playing,
        pace: frame.pace,
        behind: frame.behind,
        ms: &frame.ms,
        budget_ms: frame.budget_ms,
        given_up: frame.given_up,
        fps: frame.fps,
        energy: energy
            .map(|energy| EnergyNumbers { elastic: energy.elastic, kinetic: energy.kinetic }),
        residual: frame.residual,
        iterations: frame.iterations,
        unknowns: frame.unknowns,
        asleep: &frame.asleep,
        reset: &frame.reset,
        grabs: &frame.grabs,
        probes: &frame.probes,
        obstacles: &frame.obstacles,
        missed: (last - wanted.events).saturating_sub(told.len() as u64),
        events: told.to_vec(),
        nodes: Buffer { offset: 0, count: nodes.len() / 4 },
        field,
        contacts,
    }
}

/// Builds the message of a frame for one page, and marks its events as sent.
pub(crate) fn message(frame: &Frame, wanted: &mut Wanted) -> Bytes {
    let header = header(frame, wanted);
    wanted.events = frame.events.last().map_or(wanted.events, |event| event.number);
    let field = wanted.field.map_or(&[][..], |name| &frame.field(name).bytes);
    let contacts = if wanted.contacts { frame.contacts() } else { &[] };
    sealed(Kind::Frame, &header, &[&frame.positions, field, contacts])
}
