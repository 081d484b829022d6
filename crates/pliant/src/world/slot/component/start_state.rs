//! The state of a body at the start of a step, to return to if the step fails.

use glam::DVec3;

use crate::body::{Body, Kinematics, State};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Positions and velocities of a body at the start of its current step or double step, or at which it fell asleep: always finite. The body
/// returns to them if the step fails. Plastic flow is not taken back: only finite states flow.
#[derive(Debug, Clone)]
pub(crate) struct StartState {
    pub(crate) state: Kinematics,
    /// True if the last step ended in a state that is not finite.
    failed: bool,
}

impl StartState {
    pub(crate) fn new(body: &Body) -> Self {
        Self { state: Kinematics::at_rest(&body.model().mesh().nodes), failed: false }
    }

    /// Stores the present state, which must be finite.
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

impl Persist for StartState {
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
