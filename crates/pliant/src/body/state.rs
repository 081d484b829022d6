//! What changes while a body moves.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// A coordinate beyond this, in m, or a speed, in m/s, is that of a body that has blown up. Its
/// squares and cubes still are numbers, and so are they in the single precision of pictures.
const LARGEST: f64 = 1e12;

/// Positions and velocities of the control points: what a snapshot holds.
#[derive(Debug, PartialEq)]
pub struct State {
    /// Positions, in m.
    pub x: Vec<DVec3>,
    /// Velocities, in m/s.
    pub v: Vec<DVec3>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { x: self.x.clone(), v: self.v.clone() }
    }

    /// Takes no memory if there is room: a derived `clone_from` would, in every step.
    fn clone_from(&mut self, source: &Self) {
        let Self { x, v } = source;
        self.x.clone_from(x);
        self.v.clone_from(v);
    }
}

impl State {
    /// At rest at these positions.
    pub fn at_rest(x: &[DVec3]) -> Self {
        Self { x: x.to_vec(), v: vec![DVec3::ZERO; x.len()] }
    }

    /// Whether every number is finite, and none beyond 1e12 m or m/s: an unstable motion passes
    /// through numbers that no file and no energy can hold before it reaches infinity.
    pub fn is_finite(&self) -> bool {
        let limit = DVec3::splat(LARGEST);
        self.x.iter().chain(&self.v).all(|value| value.abs().cmple(limit).all())
    }
}

impl Persist for State {
    fn save(&self, to: &mut Writer) {
        to.vectors(&self.x);
        to.vectors(&self.v);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.vectors(&mut self.x)?;
        from.vectors(&mut self.v)
    }
}
