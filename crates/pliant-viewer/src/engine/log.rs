//! The log of events for pages.

use std::sync::Arc;

use pliant::world::{EventKind, World};

use super::frame::EventNote;
use super::stage::Stage;

/// Number of stored events.
const MAX_EVENTS: usize = 128;

/// The last events.
#[derive(Debug, Default)]
pub(crate) struct Log {
    events: Arc<Vec<EventNote>>,
    number: u64,
}

impl Log {
    /// Records the events of the last step; an event on a fragment counts for its original body.
    pub(crate) fn note(&mut self, world: &World, frame: u64, stage: &Stage) {
        for event in world.events() {
            let body = stage.origin_of(event.body);
            if is_overlap_after_break(&event.kind, body, stage) {
                continue;
            }
            let text = world.event_text(event);
            self.add(frame, body, name(&event.kind), event.kind.is_trouble(), text);
        }
    }

    /// Records another event.
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
        if events.len() == MAX_EVENTS {
            events.remove(0);
        }
        events.push(EventNote { number: self.number, frame, body, kind, trouble, text });
    }

    /// The last events.
    pub(crate) fn events(&self) -> Arc<Vec<EventNote>> {
        self.events.clone()
    }
}

/// True for overlaps between fragments of one body, which are normal right after a break.
fn is_overlap_after_break(kind: &EventKind, body: Option<usize>, stage: &Stage) -> bool {
    let EventKind::Overlapped { other, .. } = kind else { return false };
    body.is_some_and(|body| stage.is_broken(body) && stage.origin_of(*other) == Some(body))
}

fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Reset { .. } => "reset",
        EventKind::NotConverged { .. } => "not-converged",
        EventKind::Slept => "slept",
        EventKind::Woke => "woke",
        EventKind::Annealed { .. } => "annealed",
        EventKind::Broke { .. } => "broke",
        EventKind::Detached { .. } => "detached",
        EventKind::SetAside { .. } => "set-aside",
        EventKind::Touched { .. } | EventKind::TouchedObstacle { .. } => "touched",
        EventKind::Parted { .. } | EventKind::PartedObstacle { .. } => "parted",
        EventKind::Overlapped { .. } | EventKind::InObstacle { .. } => "overlapped",
        _ => "other",
    }
}
