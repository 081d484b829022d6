//! Any surface becomes a body: bounding voxels and curved tetrahedra for the Pliant engine.
#![forbid(unsafe_code)]

mod embedding;
pub mod gallery;
pub mod voxels;

pub use embedding::Embedding;
