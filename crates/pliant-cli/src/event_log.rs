//! Warnings of a run, one for each body and kind of event.

use std::mem::discriminant;

use pliant::world::{Event, World};
use serde::Serialize;

/// All events of one kind on one body.
#[derive(Debug)]
struct Kept {
    first: Event,
    frame: u64,
    count: u64,
}

/// The warnings of a run.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    kept: Vec<Kept>,
}

/// All events of one kind on one body, for the report.
#[derive(Debug, Serialize)]
pub(crate) struct EventReport {
    pub(crate) body: String,
    pub(crate) message: String,
    pub(crate) first_frame: u64,
    pub(crate) count: u64,
}

impl EventLog {
    /// Records the warnings of a frame. An event on a fragment counts for the original body.
    pub(crate) fn note(&mut self, world: &World, frame: u64) {
        for event in world.events().iter().filter(|event| event.kind.is_trouble()) {
            let body = world.origin(event.body).unwrap_or(event.body);
            let event = &Event { body, ..*event };
            let same = |kept: &&mut Kept| {
                kept.first.body == event.body
                    && discriminant(&kept.first.kind) == discriminant(&event.kind)
            };
            match self.kept.iter_mut().find(same) {
                Some(kept) => kept.count += 1,
                None => self.kept.push(Kept { first: *event, frame, count: 1 }),
            }
        }
    }

    /// Returns one report for each body and kind of event.
    pub(crate) fn reports(&self, world: &World) -> Vec<EventReport> {
        let report = |kept: &Kept| EventReport {
            body: world.get(kept.first.body).map_or("", |body| body.whole_name()).to_owned(),
            message: kept.first.kind.to_string(),
            first_frame: kept.frame,
            count: kept.count,
        };
        self.kept.iter().map(report).collect()
    }
}

impl EventReport {
    /// The warning as one line of text.
    pub(crate) fn warning(&self) -> String {
        let Self { body, message, first_frame, count } = self;
        let often = if *count == 1 { String::new() } else { format!(", {count} times in all") };
        format!("body `{body}`, frame {first_frame}{often}: {message}")
    }
}
