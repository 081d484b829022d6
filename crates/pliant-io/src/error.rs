//! What can go wrong with a file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use pliant::mesh::MeshError;

/// Where in a file something was found.
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
    /// The system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No reader for this kind of file.
    #[error("{}: unknown format ({found}); known are {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension, or how it begins.
        found: String,
        /// The formats there are readers for.
        known: &'static str,
    },
    /// Something else stands where the format asks for a certain thing.
    #[error("{}{place}: found {found}, expected {expected}", path.display())]
    Unexpected {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// Well formed, but more than is supported.
    #[error("{}{place}: {what} is not supported; {instead}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// What is asked for.
        what: String,
        /// What to do instead.
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
        /// How many faces it holds.
        face_count: usize,
    },
    /// The file is well formed, but not the mesh in it.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        source: MeshError,
    },
}

impl ReadError {
    /// The file in question.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::UnknownFormat { path, .. }
            | Self::Unexpected { path, .. }
            | Self::Unsupported { path, .. }
            | Self::SurfaceOnly { path, .. }
            | Self::Mesh { path, .. } => path,
        }
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The system refused: no space, no permission, no such folder.
    #[error("cannot write {}: {source}; nothing was left behind", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No writer for this kind of file.
    #[error("{}: unknown format ({found}); known are {known}", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        found: String,
        /// The formats there are writers for.
        known: &'static str,
    },
    /// Data that does not fit the mesh or format.
    #[error("{}: {what} has {found}, expected {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// Which piece of data.
        what: String,
        /// Its size or value.
        found: String,
        /// What would do.
        expected: String,
    },
    /// The mesh itself is not in order.
    #[error("cannot write {}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with the mesh.
        source: MeshError,
    },
}
