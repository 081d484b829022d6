//! Bodies against each other and against fixed and moving obstacles, through their skin.

mod body_pairs;
mod collider;
mod config;
mod easing;
mod error;
mod feature;
mod find;
mod friction;
mod friction_table;
mod grip;
mod level;
mod obstacle;
mod obstacle_contact;
mod query;
mod safe;
mod sweep;
mod touches;
mod vertex_law;

pub use body_pairs::BodyPairs;
pub use collider::{Collider, Facets, touching_skin};
pub use config::ContactConfig;
pub use easing::Easing;
pub use error::{ColliderError, ObstacleError};
pub use feature::{Contact, Feature};
pub use find::Finder;
pub use friction::{Friction, Hold, Slip};
pub use friction_table::FrictionTable;
pub use grip::{Anchor, Grip};
pub use level::ContactLevel;
pub use obstacle::Obstacle;
pub use obstacle_contact::{Ground, ObstacleContact, Overlap, Reach};
pub use query::{SkinPoint, first_along_ray, nearest_of};
pub use safe::{Moved, SafeContact, SafeReport, SafeSurface};
pub use sweep::{HalfSpace, Sweep};
pub use touches::{Carried, Holding, Touch, Touches};
pub use vertex_law::VertexLaw;
