//! The motion of a body without its plastic flow.

use glam::DVec3;

use crate::body::state::{State, is_bounded};
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Positions and velocities of nodes: the part of a state that a step predicts, repeats or takes back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kinematics {
    /// Positions, in m.
    pub(crate) x: Vec<DVec3>,
    /// Velocities, in m/s.
    pub(crate) v: Vec<DVec3>,
}

impl Kinematics {
    /// At rest at these positions.
    pub(crate) fn at_rest(x: &[DVec3]) -> Self {
        Self { x: x.to_vec(), v: vec![DVec3::ZERO; x.len()] }
    }

    /// The motion of no node, without memory.
    pub(crate) const fn none() -> Self {
        Self { x: Vec::new(), v: Vec::new() }
    }

    /// Copies the motion of a state; reuses the memory, so that no step allocates.
    pub(crate) fn store(&mut self, state: &State) {
        self.x.clone_from(&state.x);
        self.v.clone_from(&state.v);
    }

    /// Gives a state this motion; its plastic flow stays.
    pub(crate) fn restore(&self, state: &mut State) {
        state.x.clone_from(&self.x);
        state.v.clone_from(&self.v);
    }

    /// True if this is the motion of a state.
    pub(crate) fn is_that_of(&self, state: &State) -> bool {
        self.x == state.x && self.v == state.v
    }

    /// True if all values are finite and not too large; see [`State::is_finite`].
    pub(crate) fn is_finite(&self) -> bool {
        is_bounded(&self.x) && is_bounded(&self.v)
    }
}

impl Persist for Kinematics {
    fn save(&self, to: &mut Writer) {
        to.vectors(&self.x);
        to.vectors(&self.v);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.vectors(&mut self.x)?;
        from.vectors(&mut self.v)
    }
}
