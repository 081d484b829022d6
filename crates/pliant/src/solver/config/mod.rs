//! Settings that the user chooses for a body: stepper, linear solver, tolerances, damping.

mod check;
mod choice;
mod error;
mod method;

pub use choice::{AdaptiveConfig, LinearSolver, Mass, Rayleigh, Stepper};
pub use error::MethodError;
pub use method::MethodConfig;
