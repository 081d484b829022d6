//! Loads from outside: wind and gusts, blasts, force fields.

mod blast;
mod damped_forces;
mod error;
mod force_field;
mod gusts;
mod wind;

pub use blast::Blast;
pub(crate) use damped_forces::DampedForces;
pub use error::FieldError;
pub use force_field::{FieldKind, ForceField};
pub use gusts::Gusts;
pub use wind::{Wind, WindError};
