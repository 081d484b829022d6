//! Forces on the nodes of bodies, and fields of stress and strain.

pub(crate) mod elastic;
pub(crate) mod load;
pub(crate) mod output;
pub(crate) mod point;

pub(crate) use elastic::{
    CellBlocks, CellStiffness, Definiteness, Elastic, Elasticity, Tangent, Warped,
};
pub(crate) use load::DampedForces;
pub use load::{Blast, FieldError, FieldKind, ForceField, Gusts, Wind, WindError};
pub use output::{det_f, principal_stretch, von_mises};
pub(crate) use output::{extrapolated, inverted_cells, matter_volumes};
pub(crate) use pliant_kernels::lanes::{Width, pair_count, pair_index};
pub(crate) use pliant_kernels::warped::Rotation;
pub(crate) use point::{NO_POINT_FORCES, PairForces, PairSide, PointForce, PointForces};
