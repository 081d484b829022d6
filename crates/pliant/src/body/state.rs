//! The changing part of a body.

use glam::DVec3;

use crate::body::flow::flow_state::FlowState;

/// Largest coordinate, in m, and speed, in m/s: beyond, the motion has become unstable. Squares and cubes of these
/// values are still finite, also in the single precision of pictures.
const MAX_COORDINATE: f64 = 1e12;

/// Everything of a body that steps change: positions and velocities of the nodes, and the plastic flow.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Positions, in m.
    pub x: Vec<DVec3>,
    /// Velocities, in m/s.
    pub v: Vec<DVec3>,
    /// Plastic flow; `None` before the first one, when all points rest in the shape of the mesh. It fits the model of the
    /// body and others with the same plastic cells.
    pub flow: Option<FlowState>,
}

impl State {
    /// A state at rest at these positions, before any plastic flow.
    pub fn at_rest(x: &[DVec3]) -> Self {
        Self { x: x.to_vec(), v: vec![DVec3::ZERO; x.len()], flow: None }
    }

    /// True if all values are finite and at most 1e12 m or m/s: an unstable motion passes through values that no file
    /// and no energy can hold before it reaches infinity.
    pub fn is_finite(&self) -> bool {
        is_bounded(&self.x) && is_bounded(&self.v)
    }
}

/// True if all values are finite and at most [`MAX_COORDINATE`].
pub(in crate::body) fn is_bounded(values: &[DVec3]) -> bool {
    let limit = DVec3::splat(MAX_COORDINATE);
    values.iter().all(|value| value.abs().cmple(limit).all())
}
