//! Chooses a reader or writer by the contents or extension of a file.

use std::path::Path;

use pliant::mesh::Mesh;

use crate::error::{Place, ReadError, WriteError};
use crate::gmsh;
use crate::medit;
use crate::mesh_file::MeshFile;
use crate::source::{Source, extension, named_extension, quote, read_bytes, without_mark};
use crate::surface::is_surface_extension;
use crate::tetgen;
use crate::vtu;

/// Readable formats of volume meshes.
const READABLE: &str = "Gmsh (.msh), VTU (.vtu), TetGen (.node with .ele), Medit (.mesh)";
/// Writable formats of volume meshes.
const WRITABLE: &str = "Gmsh (.msh), VTU (.vtu)";
/// Number of bytes searched for the signature of a format.
const SIGNATURE_SEARCH_BYTES: usize = 1024;

/// A format of volume meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFormat {
    /// Gmsh `.msh`.
    Gmsh,
    /// VTK XML unstructured grid, `.vtu`.
    Vtu,
    /// TetGen `.node` and `.ele`.
    TetGen,
    /// Medit `.mesh`.
    Medit,
}

impl MeshFormat {
    /// Returns the format of a path's extension.
    pub fn from_extension(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "msh" => Some(Self::Gmsh),
            "vtu" => Some(Self::Vtu),
            "node" | "ele" => Some(Self::TetGen),
            "mesh" | "meshb" => Some(Self::Medit),
            _ => None,
        }
    }

    /// Returns the format of a file's contents, if they have a signature.
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        let bytes = without_mark(bytes);
        let start = &bytes[..bytes.len().min(SIGNATURE_SEARCH_BYTES)];
        let holds =
            |signature: &[u8]| start.windows(signature.len()).any(|window| window == signature);
        if start.trim_ascii_start().starts_with(b"$MeshFormat") {
            Some(Self::Gmsh)
        } else if holds(b"<VTKFile") {
            Some(Self::Vtu)
        } else if holds(b"MeshVersionFormatted") {
            Some(Self::Medit)
        } else {
            None
        }
    }
}

/// Reads a volume mesh of any known format; the contents of the file have priority over its extension.
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    let bytes = read_bytes(path)?;
    match MeshFormat::from_content(&bytes).or_else(|| MeshFormat::from_extension(path)) {
        Some(MeshFormat::Gmsh) => gmsh::parse(path, &bytes),
        Some(MeshFormat::Vtu) => vtu::parse(path, &bytes),
        Some(MeshFormat::TetGen) => tetgen::read(path),
        Some(MeshFormat::Medit) => medit::parse(path, &bytes),
        None => Err(unknown(&Source::text(path, &bytes)?)),
    }
}

/// Writes a mesh in the format of the path's extension.
pub fn write_mesh(path: &Path, mesh: &Mesh) -> Result<(), WriteError> {
    match MeshFormat::from_extension(path) {
        Some(MeshFormat::Gmsh) => gmsh::write(path, mesh, gmsh::Encoding::default()),
        Some(MeshFormat::Vtu) => vtu::write(path, &vtu::Frame::new(mesh)),
        _ => Err(WriteError::UnknownFormat {
            path: path.to_owned(),
            found: named_extension(path),
            known: WRITABLE,
        }),
    }
}

fn unknown(source: &Source<'_>) -> ReadError {
    let extension = extension(source.path);
    if is_surface_extension(&extension) || extension == "off" {
        let what = format!("a surface (.{extension}) as a volume mesh");
        let instead = "fill it with cells first, for example with Gmsh or TetGen";
        return source.unsupported(Place::File, what, instead);
    }
    let start = source.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let found = format!("{}, beginning with {}", named_extension(source.path), quote(start));
    ReadError::UnknownFormat { path: source.path.to_owned(), found, known: READABLE }
}
