//! What pushes control points.

mod elastic;
mod fields;
mod kernel;
mod stiffness;

pub use elastic::{Elastic, Width};
pub use fields::{NodeField, det_f, inverted_cells, von_mises};
pub use stiffness::{CellStiffness, Definiteness};
