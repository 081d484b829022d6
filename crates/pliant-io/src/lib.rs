//! Mesh and animation files of the Pliant engine.
//!
//! Every reader has two doors: one takes a path, the other bytes already in memory (with the path
//! that errors shall name). Bad input is a [`ReadError`] that says what, where and what to
//! change; nothing here panics on it. Every writer goes through [`write_whole`]: a file is
//! written whole or not at all.

pub mod gmsh;

mod draft;
mod error;
mod lagrange;
mod mesh_file;
mod quartic;
mod resample;
mod scanner;
mod source;
mod write;

pub use error::{Place, ReadError, WriteError};
pub use mesh_file::{MeshFile, ReadReport};
pub use write::write_whole;
mod read;
pub mod scene;
