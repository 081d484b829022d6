//! What pushes control points.

mod blast;
mod damped_forces;
mod elastic;
mod elasticity;
mod field;
mod fields;
mod gather;
mod gusts;
mod kernel;
mod packs;
mod pair_forces;
mod point_forces;
mod stiffness;
mod tangent;
mod tangent_kernel;
mod warped;
mod wind;

pub use blast::{Blast, FieldError};
pub use damped_forces::DampedForces;
pub use elastic::Elastic;
pub use elasticity::{CellBlocks, Elasticity, pair_count, pair_index};
pub use field::{FieldKind, ForceField};
pub use fields::{
    NodeField, det_f, extrapolated, inverted_cells, matter_volumes, principal_stretch, von_mises,
};
pub use gusts::Gusts;
pub(crate) use kernel::{apply_constant, load, reference_gradient, rest_point};
pub use packs::Width;
pub use pair_forces::{PairForces, PairSide};
pub use point_forces::{NO_POINTS, PointForce, PointForces};
pub use stiffness::{CellStiffness, Definiteness};
pub use tangent::Tangent;
pub use warped::{Rotation, Warped};
pub use wind::{Wind, WindError};
