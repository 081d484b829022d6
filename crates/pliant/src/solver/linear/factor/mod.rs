//! Cholesky factors as preconditioners, and when each is renewed.

mod exact_factor;
mod factored_rows;
mod factored_system;
mod lazy_cholesky;
mod ledger;
mod next_factor;
mod node_rotations;
mod turned_factor;

pub(super) use exact_factor::{ExactFactor, SLOW};
pub(super) use factored_rows::Precision;
pub(super) use lazy_cholesky::LazyCholesky;
pub(super) use turned_factor::TurnedFactor;
