//! Obstacles: fixed or prescribed solids, their motion over a step, and the contact of one body with them.

pub(super) mod friction_anchors;
#[allow(clippy::module_inception)]
pub(super) mod obstacle;
pub(super) mod obstacle_contact;
pub(super) mod sweep;
