//! Obstacles: fixed or prescribed solids, their motion over a step, and the contact of one body with them.

mod arrivals;
mod feature_contacts;
mod features;
pub(crate) mod friction_anchors;
mod gather;
pub(super) mod obstacle;
pub(crate) mod obstacle_contact;
pub(crate) mod obstacle_context;
pub(crate) mod overlap;
mod point_contact;
mod push_force;
pub(crate) mod sweep;
pub(crate) mod touches;
