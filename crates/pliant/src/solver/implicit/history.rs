//! The step before, for rules of two steps.

use glam::DVec3;

use crate::body::State;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// States around the last step.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// Before it.
    pub(super) before: State,
    /// After it: if the body is elsewhere now, someone else has moved it.
    after: State,
    /// Its length, in s; zero if there was none.
    h: f64,
}

impl History {
    pub(super) fn new(node_count: usize) -> Self {
        let nowhere = State::at_rest(&vec![DVec3::ZERO; node_count]);
        Self { before: nowhere.clone(), after: nowhere, h: 0.0 }
    }

    /// Whether the last step was as long as the next and led to this state.
    pub(super) fn leads_to(&self, state: &State, h: f64) -> bool {
        self.h == h && self.after == *state
    }

    /// Notes a step from `before`, of which only the end is still missing.
    pub(super) fn begin(&mut self, before: &State, h: f64) {
        self.before.clone_from(before);
        self.h = h;
    }

    /// Notes where the step led.
    pub(super) fn end(&mut self, after: &State) {
        self.after.clone_from(after);
    }
}

impl Persist for History {
    fn save(&self, to: &mut Writer) {
        to.f64(self.h);
        self.before.save(to);
        self.after.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.h = from.f64()?;
        self.before.load(from)?;
        self.after.load(from)
    }
}
