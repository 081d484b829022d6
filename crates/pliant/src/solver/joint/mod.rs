//! Bodies that push each other, in one linear solve.

mod coupling;
mod envelope;
mod joint;
mod member;
mod rigid_motions;

pub(crate) use joint::Joint;
pub(crate) use member::{Member, RigidPart};
