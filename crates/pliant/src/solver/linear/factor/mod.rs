//! Cholesky factors as preconditioners, and when each is renewed.

mod exact_factor;
mod factored_rows;
mod factored_system;
mod joint_rows;
mod lazy_cholesky;
mod ledger;
mod next_factor;
mod node_rotations;
mod precision_for;
mod turned_factor;

pub(super) use exact_factor::ExactFactor;
pub(super) use factored_rows::Precision;
pub(super) use joint_rows::JointRows;
pub(super) use lazy_cholesky::LazyCholesky;
pub(super) use precision_for::precision_for;
pub(super) use turned_factor::TurnedFactor;
