//! The tests of meshes and geometry, in one program.
//! To run one file: `cargo test --release -p pliant-mesh --test meshes validity::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "../../../pliant-kernels/tests/kernels/random.rs"]
mod random;

mod coarse;
mod distances;
mod generators;
mod mesh;
mod time_of_contact;
mod tree;
mod triangles;
mod validity;
