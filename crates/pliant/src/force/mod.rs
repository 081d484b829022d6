//! What pushes control points.

mod blast;
mod damped_forces;
mod elastic;
mod elasticity;
mod field;
mod fields;
mod gather;
mod gusts;
mod pair_forces;
mod point_forces;
mod stiffness;
mod tangent;
mod warped;
mod wind;

pub use blast::{Blast, FieldError};
pub use damped_forces::DampedForces;
pub use elastic::Elastic;
pub use elasticity::{CellBlocks, Elasticity};
pub use field::{FieldKind, ForceField};
pub use fields::{
    NodeField, det_f, extrapolated, inverted_cells, matter_volumes, principal_stretch, von_mises,
};
pub use gusts::Gusts;
pub use pair_forces::{PairForces, PairSide};
pub use pliant_kernels::lanes::{Kernel, Width, pair_count, pair_index};
pub use pliant_kernels::warped::Rotation;
pub use point_forces::{NO_POINTS, PointForce, PointForces};
pub use stiffness::{CellStiffness, Definiteness};
pub use tangent::Tangent;
pub use warped::Warped;
pub use wind::{Wind, WindError};
