//! Rigid bodies, and rigid regions of deformable ones.

pub(crate) mod inertia;
pub(crate) mod regions;
pub(crate) mod rigid;
