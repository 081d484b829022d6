//! The skin through which a body touches.

use crate::body::{Model, Skin};

/// The contact skin of a model: its own skin, or else one with as many vertices as the boundary has control points.
pub fn touching_skin(model: &Model) -> Skin {
    let degree = || model.mesh().blocks.iter().map(|block| block.kind.degree()).max().unwrap_or(1);
    model.skin().cloned().unwrap_or_else(|| Skin::of_mesh(model.mesh(), degree()))
}
