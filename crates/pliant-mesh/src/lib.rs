//! Meshes of the Pliant engine, and the geometry of triangles and shapes: nothing physical.
//!
//! Apart from the engine because they seldom change: what is built on them is built again with every change of the engine, they are not.
#![forbid(unsafe_code)]

pub mod geometry;
pub mod mesh;

// Lower layers, under the names that all modules know them by.
use pliant_kernels::{element, math};
