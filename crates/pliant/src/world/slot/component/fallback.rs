//! The last finite state of a body, to return to after a failed step.

use glam::DVec3;

use crate::body::{Body, Kinematics, State};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The last finite positions and velocities of a body. They are also those at the start of the current step.
/// Plastic flow is not taken back: only finite states flow.
#[derive(Debug, Clone)]
pub(crate) struct Fallback {
    pub(crate) state: Kinematics,
    /// True if the last step led from there to a state that is not finite.
    failed: bool,
}

impl Fallback {
    pub(crate) fn new(body: &Body) -> Self {
        Self { state: Kinematics::at_rest(&body.model().mesh().nodes), failed: false }
    }

    /// Takes the present state.
    pub(crate) fn store(&mut self, state: &State) {
        self.state.store(state);
    }

    /// Records whether a step failed.
    pub(crate) fn record(&mut self, failed: bool) {
        self.failed = failed;
    }

    /// Returns a body to the last finite state, at rest; to the shape of its model if a step from that state has failed
    /// before.
    pub(crate) fn recover(&mut self, body: &mut Body, time: f64) {
        if self.failed {
            self.state.x.clone_from(&body.model().mesh().nodes);
            body.move_pins(time, &mut self.state.x);
        }
        self.state.v.fill(DVec3::ZERO);
        self.state.restore(&mut body.state);
    }
}

impl Persist for Fallback {
    fn save(&self, to: &mut Writer) {
        self.state.save(to);
        to.flag(self.failed);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.state.load(from)?;
        if !self.state.is_finite() {
            return Err(from.bad("a finite state"));
        }
        self.failed = from.flag()?;
        Ok(())
    }
}
