//! Contact forces: the normal force of a vertex, friction and its memory, and the recovery from overlaps.

pub(crate) mod body_contact;
pub(crate) mod body_contacts;
pub(super) mod check_friction;
pub(crate) mod friction;
pub(crate) mod friction_memory;
pub(super) mod friction_table;
pub(crate) mod half_space;
pub(crate) mod overlap_recovery;
mod skin_laws;
pub(crate) mod vertex_law;
