//! Bodies against fixed and moving obstacles, through their skin.

mod config;
mod error;
mod level;
mod obstacle;
mod obstacle_contact;
mod sweep;
mod touches;
mod vertex_law;

pub use config::ContactConfig;
pub use error::ObstacleError;
pub use level::ContactLevel;
pub use obstacle::Obstacle;
pub use obstacle_contact::{Interval, ObstacleContact, Reach};
pub use sweep::{HalfSpace, Sweep};
pub use touches::{Touch, Touches};
pub use vertex_law::VertexLaw;
