//! Forces on the nodes of bodies, and fields of stress and strain.

mod elastic;
mod load;
mod output;
mod point;

pub use elastic::{CellBlocks, CellStiffness, Definiteness, Elastic, Elasticity, Tangent, Warped};
pub use load::{Blast, DampedForces, FieldError, FieldKind, ForceField, Gusts, Wind, WindError};
pub use output::{
    NodeField, det_f, extrapolated, inverted_cells, matter_volumes, principal_stretch, von_mises,
};
pub use pliant_kernels::lanes::{Kernel, Width, pair_count, pair_index};
pub use pliant_kernels::warped::Rotation;
pub use point::{NO_POINT_FORCES, PairForces, PairSide, PointForce, PointForces};
