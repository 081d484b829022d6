//! Everything that steps together.

mod config;
mod health;
#[expect(clippy::module_inception, reason = "the world is the concept of this layer")]
mod world;

pub use config::{ConfigError, WorldConfig};
pub use health::{Energy, Health, StepReport};
pub use world::{Handle, World};
