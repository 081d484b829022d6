//! Continuous contact: detection over the whole step, impulses, rigid impact zones and rollback.

pub(super) mod continuous_contact;
mod earliest_hits;
mod impact_zones;
mod impacts;
mod impulses;
pub(super) mod report;
mod rollback;
mod self_clearance;
pub(super) mod surface;
mod swept_surface;
