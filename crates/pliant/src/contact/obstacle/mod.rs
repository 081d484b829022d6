//! Obstacles: fixed or prescribed solids, their motion over a step, and the contact of one body with them.

pub(super) mod friction_anchors;
mod gather;
pub(super) mod obstacle;
pub(super) mod obstacle_contact;
pub(super) mod obstacle_context;
pub(super) mod overlap;
pub(super) mod sweep;
mod vertex_contact;
