//! Meshes of the Pliant engine, and the geometry of triangles and shapes, without physics.
//!
//! A separate crate because this code seldom changes: an edit of the engine rebuilds the engine and the crates above
//! it, but not this one.
#![forbid(unsafe_code)]

pub mod geometry;
pub mod mesh;

// Lower layers, under the names that all modules use.
use pliant_kernels::{element, math};

/// The snippet of the page of the crate, which compiles and runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct MeshPage;
