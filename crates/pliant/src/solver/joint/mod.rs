//! Bodies that push each other, in one linear solve.

mod coupling;
mod envelope;
mod joint;
mod member;
mod rigid_motions;

pub use joint::Joint;
pub use member::{Member, RigidPart};
