//! The tests of the mesher, in one program, because every program takes seconds to link.
//! To run one file: `cargo test --release -p pliant-mesher --test mesher voxels::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

mod choose;
mod curved;
mod gallery;
mod skins;
mod splinters;
mod surface_tree;
mod tets;
mod touching;
mod voxels;
