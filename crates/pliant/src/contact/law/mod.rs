//! Contact forces: the normal force of a vertex, friction and its memory, and the recovery from overlaps.

pub(super) mod body_contact;
pub(super) mod body_contacts;
pub(super) mod check_friction;
pub(super) mod friction;
pub(super) mod friction_memory;
pub(super) mod friction_table;
pub(super) mod half_space;
pub(super) mod overlap_recovery;
mod skin_laws;
pub(super) mod vertex_law;
