//! Contact of bodies with each other, with themselves and with obstacles, through their skins.
//!
//! ```text
//! detect       colliders, pairs of bodies, contacts between surfaces, rays and nearest points
//! law          contact forces: normal force, friction and its memory, recovery from overlaps
//! obstacle     obstacles, their motion over a step, contact of one body with them
//! continuous   correction of steps so that no two surfaces intersect (contact level "safe")
//! ```

mod config;
mod continuous;
mod detect;
mod error;
mod law;
mod level;
mod obstacle;

pub use config::ContactConfig;
pub use continuous::continuous_contact::ContinuousContact;
pub use continuous::report::ContinuousReport;
pub use continuous::surface::{ContinuousSurface, SurfaceMotion};
pub use detect::body_pairs::BodyPairs;
pub use detect::collider::collider::Collider;
pub use detect::collider::collider_error::ColliderError;
pub use detect::collider::facets::Facets;
pub use detect::collider::touching_skin::touching_skin;
pub use detect::contact::Contact;
pub use detect::feature::Feature;
pub use detect::find::finder::Finder;
pub use detect::query::{SkinPoint, first_along_ray, nearest_of};
pub use error::ObstacleError;
pub use law::body_contact::{BodyContact, PrescribedPoint};
pub use law::body_contacts::BodyContacts;
pub use law::friction::{Friction, FrictionResult, Slip};
pub use law::friction_memory::FrictionMemory;
pub use law::friction_table::FrictionTable;
pub use law::half_space::HalfSpace;
pub use law::overlap_recovery::OverlapRecovery;
pub use law::vertex_law::VertexLaw;
pub use level::ContactLevel;
pub use obstacle::friction_anchors::{FrictionAnchor, VertexAnchors};
pub use obstacle::obstacle::Obstacle;
pub use obstacle::obstacle_contact::ObstacleContact;
pub use obstacle::obstacle_context::{ObstacleContext, Reach};
pub use obstacle::overlap::Overlap;
pub use obstacle::sweep::ObstacleSweep;
