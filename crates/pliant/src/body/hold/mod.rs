//! Pins, pulls, and the unknowns that they leave to a solver.

pub(crate) mod motion;
pub(crate) mod pull;
pub(crate) mod spread;
pub(crate) mod unknowns;
