//! Parts of the engine for its tests and benches, and for the other crates of the project.
//!
//! A program should not use them: they change without notice, and [`World`](crate::World) does all that they do.

pub use crate::body::hold::unknowns::Unknowns;
pub use crate::body::model::contents::Leaf;
pub use crate::body::model::mass::{Masses, consistent_mass, lumped_masses};
pub use crate::body::model::mass_matrix::MassMatrix;
pub use crate::body::model::rigid::inertia::Inertia;
pub use crate::contact::continuous::continuous_contact::ContinuousContact;
pub use crate::contact::continuous::surface::{ContinuousRules, ContinuousSurface, SurfaceMotion};
pub use crate::contact::detect::body_pairs::BodyPairs;
pub use crate::contact::detect::collider::collider::Collider;
pub use crate::contact::detect::collider::collider_error::ColliderError;
pub use crate::contact::detect::collider::facets::Facets;
pub use crate::contact::detect::contact::Contact;
pub use crate::contact::detect::find::finder::Finder;
pub use crate::contact::detect::query::{first_along_ray, nearest_of};
pub use crate::contact::law::friction::{Friction, Slip};
pub use crate::contact::law::half_space::HalfSpace;
pub use crate::contact::obstacle::friction_anchors::VertexAnchors;
pub use crate::contact::obstacle::obstacle_contact::ObstacleContact;
pub use crate::contact::obstacle::obstacle_context::Reach;
pub use crate::contact::obstacle::sweep::ObstacleSweep;
pub use crate::force::elastic::{
    CellBlocks, CellStiffness, Definiteness, Elastic, Elasticity, Tangent, Warped,
};
pub use crate::force::point::{NO_POINT_FORCES, PointForce, PointForces};
pub use crate::fracture::fracture::Fracture;
pub use crate::persist::reader::Reader;
pub use crate::persist::writer::Writer;
pub use crate::plasticity::cell_flow::CellFlow;
pub use crate::plasticity::flow::Flow;
pub use crate::solver::explicit::{SymplecticEuler, stable_step};
pub use crate::solver::external::External;
pub use crate::solver::implicit::{Adaptive, Implicit, Prediction, Ties};
pub use crate::solver::linear::{Assembly, BlockRows, LinearSystem, Operator, Scales, SystemParts};
pub use crate::solver::xpbd::{CellConstraints, ConstraintSweep, SharedPoints};
