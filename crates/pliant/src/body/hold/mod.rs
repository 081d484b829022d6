//! Pins, pulls, and the unknowns that they leave to a solver.

mod body_pins;
mod body_pulls;
pub(crate) mod motion;
pub(crate) mod pin;
pub(crate) mod pin_checks;
pub(crate) mod pull;
pub(crate) mod spread;
pub(crate) mod unknowns;
