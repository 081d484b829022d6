//! Static equilibrium of a body under its loads.

mod config;
mod equilibrium;
mod error;
mod report;
mod support;

pub use config::{Loads, StaticConfig};
pub use equilibrium::Equilibrium;
pub use error::SolveError;
pub use report::{Reaction, StaticProgress, StaticReport};
