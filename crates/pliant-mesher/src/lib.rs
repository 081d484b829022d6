//! Meshes any surface for the Pliant engine: bounding voxels, curved tetrahedra, and splinters for fracture.
#![forbid(unsafe_code)]

pub mod choose;
mod embedding;
pub mod gallery;
mod open_edges;
mod placing;
pub mod splinters;
mod surface_error;
mod surface_tree;
pub mod tets;
mod two_way_distance;
pub mod voxels;

pub use embedding::Embedding;
pub use open_edges::open_edges;
pub use placing::places;
pub use surface_error::{SurfaceError, check_surface};
pub use surface_tree::{Hit, Nearest, SurfaceTree};
pub use two_way_distance::TwoWayDistance;

/// The snippet of the page of the crate, which compiles and runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct MesherPage;
