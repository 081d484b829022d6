//! Errors of reading and writing files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pliant::mesh::MeshError;

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from 1.
    Line(usize),
    /// An offset into a binary file, in bytes.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Byte(offset) => write!(f, ", byte {offset}"),
        }
    }
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system returned an error.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// No reader for this file format.
    #[error("{}: unknown format ({found}); known formats are {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension, or its first line.
        found: String,
        /// The readable formats.
        known: &'static str,
    },
    /// Content other than the format requires.
    #[error("{}{place}: found {found}, expected {expected}", path.display())]
    Unexpected {
        /// The file.
        path: PathBuf,
        /// Position in the file.
        place: Place,
        /// The content found.
        found: String,
        /// The content expected.
        expected: String,
    },
    /// Valid content that is not supported.
    #[error("{}{place}: {what} is not supported; {instead}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Position in the file.
        place: Place,
        /// The unsupported content.
        what: String,
        /// Advice for the user.
        instead: String,
    },
    /// A surface where a volume is needed.
    #[error(
        "{}: this is a surface ({face_count} faces, no volume cells), a volume mesh is needed; fill it first, for example `gmsh -3 {} -o volume.msh`",
        path.display(), path.display()
    )]
    SurfaceOnly {
        /// The file.
        path: PathBuf,
        /// Number of faces.
        face_count: usize,
    },
    /// Tetrahedra of a degree above 3 that no shape of degree 3 or less replaces.
    #[error(
        "{}: {} of {cell_count} tetrahedra of degree {degree} are invalid at degree 3, the highest supported, and also straight: {}; mesh with `-order 3`, or mend them with `gmsh {} -optimize_ho -save -o NEW.msh`",
        path.display(), invalid.len(), cell_list(invalid), path.display()
    )]
    NotLowered {
        /// The file.
        path: PathBuf,
        /// Degree of the tetrahedra in the file.
        degree: usize,
        /// Number of tetrahedra of this degree.
        cell_count: usize,
        /// The invalid ones, counted from 0 among the volume cells of the file.
        invalid: Vec<usize>,
    },
    /// A valid file with an invalid mesh.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// The error of the mesh.
        source: MeshError,
    },
}

/// Maximum number of cells named in an error.
const MAX_NAMED_CELLS: usize = 5;

/// Names the first of these cells: `cells 3, 7, 9 …`.
fn cell_list(cells: &[usize]) -> String {
    let named: Vec<String> = cells.iter().take(MAX_NAMED_CELLS).map(usize::to_string).collect();
    let noun = if cells.len() == 1 { "cell" } else { "cells" };
    let more = if cells.len() > MAX_NAMED_CELLS { " …" } else { "" };
    format!("{noun} {}{more}", named.join(", "))
}

impl ReadError {
    /// Path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::UnknownFormat { path, .. }
            | Self::Unexpected { path, .. }
            | Self::Unsupported { path, .. }
            | Self::SurfaceOnly { path, .. }
            | Self::NotLowered { path, .. }
            | Self::Mesh { path, .. } => path,
        }
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The operating system returned an error: no space, no permission, no such folder.
    #[error("cannot write {}: {source}; no partial file is left", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// No writer for this file format.
    #[error("{}: unknown format ({found}); known formats are {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        found: String,
        /// The writable formats.
        known: &'static str,
    },
    /// Data that do not match the mesh or format.
    #[error("{}: {what} has {found}, expected {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The kind of data.
        what: String,
        /// Its size or value.
        found: String,
        /// The accepted size or value.
        expected: String,
    },
    /// An invalid mesh.
    #[error("cannot write {}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// The error of the mesh.
        source: MeshError,
    },
}
