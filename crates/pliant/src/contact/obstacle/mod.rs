//! Obstacles: fixed or prescribed solids, their motion over a step, and the contact of one body with them.

pub(crate) mod friction_anchors;
mod gather;
pub(super) mod obstacle;
pub(crate) mod obstacle_contact;
pub(crate) mod obstacle_context;
pub(crate) mod overlap;
pub(crate) mod sweep;
mod vertex_contact;
