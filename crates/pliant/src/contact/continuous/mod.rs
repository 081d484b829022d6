//! Continuous contact: detection over the whole step, impulses, rigid impact zones and rollback.

pub(super) mod continuous_contact;
mod hits;
mod impact_zones;
mod impulses;
pub(super) mod report;
mod rigid;
mod rollback;
mod self_clearance;
pub(super) mod surface;
mod swept_surface;
mod zone_motion;
