//! Sleep of bodies at rest, which are then not stepped.

mod config;
pub(crate) mod state;

pub use config::SleepConfig;
pub(crate) use state::{SleepState, StillLimits};
