//! Sleep of bodies at rest, which are then not stepped.

mod config;
mod state;

pub use config::SleepConfig;
pub use state::SleepState;
