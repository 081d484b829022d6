//! Bodies that push each other, in one linear solve.

mod coupling;
mod envelope;
mod joint;
mod member;
mod operators;
mod rigid_motions;
mod shared_factor;
mod shared_rows;

pub(crate) use joint::Joint;
pub(crate) use member::{FactorForm, Member, RigidPart};
