//! Contact of bodies with each other, with themselves and with obstacles, through their skins.
//!
//! ```text
//! detect       colliders, pairs of bodies, contacts between surfaces, rays and nearest points
//! law          contact forces: normal force, friction and its memory, recovery from overlaps
//! obstacle     obstacles, their motion over a step, contact of one body with them
//! continuous   correction of steps so that no two surfaces intersect (contact level "safe")
//! ```

mod config;
pub(crate) mod continuous;
pub(crate) mod detect;
mod error;
pub(crate) mod law;
mod level;
pub(crate) mod obstacle;

pub use config::ContactConfig;
pub(crate) use continuous::continuous_contact::ContinuousContact;
pub use continuous::report::ContinuousReport;
pub(crate) use continuous::surface::{ContinuousRules, ContinuousSurface, SurfaceMotion};
pub(crate) use detect::body_pairs::BodyPairs;
pub(crate) use detect::collider::collider::Collider;
pub(crate) use detect::collider::facets::Facets;
pub(crate) use detect::contact::Contact;
pub(crate) use detect::feature::Feature;
pub(crate) use detect::find::finder::Finder;
pub(crate) use detect::find::inside::points_inside;
pub(crate) use detect::query::{SkinPoint, first_along_ray, nearest_of};
pub(crate) use detect::way_apart::WayApart;
pub use error::ObstacleError;
pub(crate) use law::body_contact::{BodyContact, MovingPoint};
pub(crate) use law::body_contacts::BodyContacts;
pub(crate) use law::friction_memory::FrictionMemory;
pub(crate) use law::friction_table::FrictionTable;
pub(crate) use law::overlap_recovery::OverlapRecovery;
pub(crate) use law::vertex_law::VertexLaw;
pub use level::ContactLevel;
pub use obstacle::obstacle::Obstacle;
pub(crate) use obstacle::obstacle_contact::{ObstacleContact, RESERVED_FEATURES};
pub(crate) use obstacle::obstacle_context::{ObstacleContext, Reach};
pub(crate) use obstacle::touches::ObstacleTouch;
