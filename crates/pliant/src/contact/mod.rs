//! Bodies against fixed and moving obstacles, through their skin.

mod config;
mod error;
mod friction;
mod grip;
mod level;
mod obstacle;
mod obstacle_contact;
mod sweep;
mod touches;
mod vertex_law;

pub use config::ContactConfig;
pub use error::ObstacleError;
pub use friction::{Friction, Hold, Slip};
pub use grip::{Anchor, Grip};
pub use level::ContactLevel;
pub use obstacle::Obstacle;
pub use obstacle_contact::{Interval, ObstacleContact, Reach};
pub use sweep::{HalfSpace, Sweep};
pub use touches::{Holding, Touch, Touches};
pub use vertex_law::VertexLaw;
