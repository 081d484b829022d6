//! Rigid bodies, and rigid regions of deformable ones.

pub(crate) mod inertia;
pub(crate) mod regions;
#[expect(clippy::module_inception, reason = "the rigid body is the concept of this folder")]
pub(crate) mod rigid;
