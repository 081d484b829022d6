//! Continuous contact: detection over the whole step, impulses, rigid impact zones and rollback.

mod balance;
pub(crate) mod continuous_contact;
mod hits;
mod hold_back;
mod impact_zones;
mod impulses;
mod lost_time;
pub(crate) mod report;
mod rigid;
mod rollback;
mod self_clearance;
pub(crate) mod surface;
mod swept_surface;
mod zone_motion;
