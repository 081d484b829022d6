//! The previous step, for two-step rules.

use glam::DVec3;

use crate::body::{Kinematics, State};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The motion before and after the last step.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// The motion before it.
    pub(super) before: Kinematics,
    /// The motion after it: a body in another state was moved by a caller.
    after: Kinematics,
    /// Its length, in s; zero if there was no step.
    h: f64,
    /// True if the body was in contact during it.
    pub(super) touched: bool,
}

impl History {
    pub(super) fn new(node_count: usize) -> Self {
        let nowhere = Kinematics::at_rest(&vec![DVec3::ZERO; node_count]);
        Self { before: nowhere.clone(), after: nowhere, h: 0.0, touched: false }
    }

    /// True if the last step was as long as the next one and led to this state.
    pub(super) fn leads_to(&self, state: &State, h: f64) -> bool {
        self.h == h && self.ended_in(state)
    }

    /// True if the last step, of any length, led to this state.
    pub(super) fn ended_in(&self, state: &State) -> bool {
        self.h > 0.0 && self.after.is_that_of(state)
    }

    /// The length of the last step, in s; zero if there was no step.
    pub(super) fn last_length(&self) -> f64 {
        self.h
    }

    /// Records the start of a step.
    pub(super) fn begin(&mut self, before: &State, h: f64) {
        self.before.store(before);
        self.h = h;
    }

    /// Records the end of a step.
    pub(super) fn end(&mut self, after: &State) {
        self.after.store(after);
    }
}

impl Persist for History {
    fn save(&self, to: &mut Writer) {
        to.f64(self.h);
        to.flag(self.touched);
        self.before.save(to);
        self.after.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.h = from.f64()?;
        self.touched = from.flag()?;
        self.before.load(from)?;
        self.after.load(from)
    }
}
