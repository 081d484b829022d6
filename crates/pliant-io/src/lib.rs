//! Mesh, surface and animation files, pictures and scene files of the Pliant engine.
//!
//! [`read_mesh`] reads a volume mesh of any known format:
//!
//! ```
//! use pliant_io::{read_mesh, write_mesh};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("one.mesh");
//! # std::fs::write(&path, "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 5\nEnd\n")?;
//! let file = read_mesh(&path)?;
//! file.report.notes().iter().for_each(|note| println!("{note}"));
//! write_mesh(&path.with_extension("vtu"), &file.mesh)?;
//! assert_eq!(read_mesh(&path.with_extension("vtu"))?.mesh, file.mesh);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every reader has two functions: one takes a path, the other bytes in memory (and a path for errors). Bad input is
//! a [`ReadError`] with the content found, its position and what to change; no input causes a panic. Every writer
//! uses [`write_atomic`]: a file is written whole or not at all.
#![forbid(unsafe_code)]

pub mod glb;
pub mod gmsh;
pub mod medit;
pub mod picture;
pub mod scene;
pub mod surface;
pub mod tetgen;
pub mod vtu;

mod error;
mod file_mesh;
mod format;
mod high_degree;
mod lagrange;
mod mesh_file;
mod resample;
mod scanner;
mod source;
mod surface_attributes;
mod write;

pub use error::{Place, ReadError, WriteError};
pub use format::{MeshFormat, read_mesh, write_mesh};
pub use lagrange::bernstein_values;
pub use mesh_file::{MeshFile, ReadReport};
pub use write::write_atomic;

/// The Rust snippets of the README and the guide, which compile and run with the tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct CratePage;
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/guide/splinters.md")]
    struct SplinterGuide;
}
