//! Warnings of a run, one for each body and kind of event.

use std::mem::discriminant;

use pliant::world::{Event, World};
use serde::Serialize;

/// All events of one kind on one body.
#[derive(Debug)]
struct LoggedEvents {
    first: Event,
    /// The text of the first, with the names that bodies had then.
    message: String,
    frame: u64,
    count: u64,
}

/// The warnings of a run.
#[derive(Debug, Default)]
pub(crate) struct EventLog {
    logged: Vec<LoggedEvents>,
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
    pub(crate) fn record(&mut self, world: &World, frame: u64) {
        for event in world.events().iter().filter(|event| event.kind.is_trouble()) {
            let body = world.origin(event.body).unwrap_or(event.body);
            let event = &Event { body, ..*event };
            let same = |events: &&mut LoggedEvents| {
                events.first.body == event.body
                    && discriminant(&events.first.kind) == discriminant(&event.kind)
            };
            match self.logged.iter_mut().find(same) {
                Some(events) => events.count += 1,
                None => {
                    let message = world.event_text(event);
                    self.logged.push(LoggedEvents { first: *event, message, frame, count: 1 });
                }
            }
        }
    }

    /// Returns one report for each body and kind of event.
    pub(crate) fn reports(&self, world: &World) -> Vec<EventReport> {
        let report = |events: &LoggedEvents| EventReport {
            body: world.get(events.first.body).map_or("", |body| body.whole_name()).to_owned(),
            message: events.message.clone(),
            first_frame: events.frame,
            count: events.count,
        };
        self.logged.iter().map(report).collect()
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
