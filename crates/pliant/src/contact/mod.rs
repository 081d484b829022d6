//! Bodies against fixed and moving obstacles, through their skin.

mod error;
mod friction;
mod grip;
mod obstacle;
mod obstacle_contact;
mod sweep;
mod vertex_law;

pub use error::ObstacleError;
pub use friction::{Friction, Hold, Slip};
pub use grip::{Anchor, Grip};
pub use obstacle::Obstacle;
pub use obstacle_contact::{Interval, ObstacleContact, Reach};
pub use sweep::{HalfSpace, Sweep};
pub use vertex_law::VertexLaw;
