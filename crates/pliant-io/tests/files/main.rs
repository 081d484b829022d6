//! The tests of reading and writing, in one program, because every program takes seconds to link.
//! To run one file: `cargo test --release -p pliant-io --test files scenes::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "../../../pliant-kernels/tests/kernels/random.rs"]
mod random;
mod samples;

mod bad_scenes;
mod byte_order_marks;
mod document_paths;
mod documents;
mod examples;
mod formats;
mod glb;
mod gmsh;
mod markdown;
mod medit;
mod mutated_files;
mod picture;
mod rebuilt_bodies;
mod rest_shape;
mod round_trips;
mod scene_mutations;
mod scenes;
mod shared_meshes;
mod surface;
mod surface_attributes;
mod surface_mutations;
mod surface_scenes;
mod tetgen;
mod vtu;
mod write;
