//! Reading a volume mesh of whatever format.

use std::path::Path;

use pliant::mesh::Mesh;

use crate::error::ReadError;
use crate::gmsh;

/// The mesh of a file.
pub(crate) fn read_volume_mesh(path: &Path) -> Result<Mesh, ReadError> {
    gmsh::read(path).map(|file| file.mesh)
}
