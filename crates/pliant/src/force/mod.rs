//! What pushes control points.

mod elastic;
mod fields;
mod kernel;
mod stiffness;

pub use elastic::{Elastic, Width};
pub use fields::{NodeField, det_f, von_mises};
pub use stiffness::{CellStiffness, Definiteness};
