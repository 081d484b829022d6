//! The changing part of a body.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Largest coordinate, in m, and speed, in m/s: beyond, the motion has become unstable. Squares and cubes of these
/// values are still finite, also in the single precision of pictures.
const MAX_COORDINATE: f64 = 1e12;

/// Positions and velocities of the nodes: the part of a body that snapshots hold.
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

    /// Reuses the memory: a derived `clone_from` would allocate in every step.
    fn clone_from(&mut self, source: &Self) {
        let Self { x, v } = source;
        self.x.clone_from(x);
        self.v.clone_from(v);
    }
}

impl State {
    /// A state at rest at these positions.
    pub fn at_rest(x: &[DVec3]) -> Self {
        Self { x: x.to_vec(), v: vec![DVec3::ZERO; x.len()] }
    }

    /// True if all values are finite and at most 1e12 m or m/s: an unstable motion passes through values that no file
    /// and no energy can hold before it reaches infinity.
    pub fn is_finite(&self) -> bool {
        let limit = DVec3::splat(MAX_COORDINATE);
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
