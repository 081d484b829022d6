//! What has happened, for pages to read.

use std::sync::Arc;

use pliant::world::{Event, EventKind, Handle};

use super::frame::EventNote;

/// Events that are kept.
const KEPT: usize = 128;

/// The last events.
#[derive(Debug, Default)]
pub(crate) struct Log {
    events: Arc<Vec<EventNote>>,
    number: u64,
}

impl Log {
    /// Notes the events of a step.
    pub(crate) fn note(&mut self, events: &[Event], frame: u64, handles: &[Handle]) {
        for event in events {
            let body = handles.iter().position(|handle| *handle == event.body);
            let text = event.kind.to_string();
            self.add(frame, body, name(&event.kind), event.kind.is_trouble(), text);
        }
    }

    /// Notes something else.
    pub(crate) fn add(
        &mut self,
        frame: u64,
        body: Option<usize>,
        kind: &'static str,
        trouble: bool,
        text: String,
    ) {
        self.number += 1;
        let events = Arc::make_mut(&mut self.events);
        if events.len() == KEPT {
            events.remove(0);
        }
        events.push(EventNote { number: self.number, frame, body, kind, trouble, text });
    }

    /// The last events.
    pub(crate) fn events(&self) -> Arc<Vec<EventNote>> {
        self.events.clone()
    }
}

fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Reset => "reset",
        EventKind::NotConverged { .. } => "not-converged",
        EventKind::Slept => "slept",
        EventKind::Woke => "woke",
        EventKind::Annealed { .. } => "annealed",
        EventKind::Touched { .. } => "touched",
        EventKind::Parted { .. } => "parted",
        EventKind::Overlapped { .. } | EventKind::InObstacle { .. } => "overlapped",
        _ => "other",
    }
}
