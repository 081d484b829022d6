//! Forces on points of a skin, and on pairs of points.

mod pair_forces;
mod point_forces;

pub(crate) use pair_forces::{PairForces, PairSide};
pub use point_forces::{NO_POINT_FORCES, PointForce, PointForces};
