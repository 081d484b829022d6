//! Numbers, lanes and 3×3 algebra.
//!
//! Kernels are written once, generic over [`Lane`], and run on one `f64` or on a pack of
//! [`LANES`] cells. Everything here is branch-free, so that all lanes do the same work.

mod dense_eigen;
mod digest;
mod disjoint_sets;
mod eigen;
mod lane;
mod lanes;
mod mat3;
mod point_masses;
mod polar;
mod qr;
mod rows;
mod single;
mod split_mix;
mod svd;
mod threads;
mod time_step;
mod vec3;

pub use dense_eigen::DenseEigen;
pub use digest::Digest;
pub use disjoint_sets::DisjointSets;
pub use eigen::{Eigen, symmetric_eigen};
pub use lane::{LANES, Lane, Pack, fused};
pub use lanes::{Half, LaneParts, Lanes, One, Wide};
pub use mat3::Mat3;
pub use point_masses::PointMasses;
pub use polar::{polar_rotation, polar_rotation_from};
pub use qr::qr_rotation;
pub use rows::Rows;
pub use single::{SingleLane, SingleLanes, SingleNode, SinglePack};
pub use split_mix::SplitMix;
pub use svd::{Svd, svd};
pub use threads::{made_once, parallel_map, parallel_range};
pub use time_step::TimeStep;
pub use vec3::Vec3;
