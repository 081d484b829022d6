//! The shapes a scene can generate.

use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant::mesh::{Mesh, MeshError};

/// Most nodes a scene may ask for.
pub(super) const MOST_NODES: f64 = 2e7;

/// A shape with a mesh generator.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MeshShape {
    /// A box or straight bar.
    Box(BoxConfig),
}

impl MeshShape {
    /// Its mesh.
    ///
    /// # Errors
    ///
    /// What the generator has against the numbers.
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        match self {
            Self::Box(config) => box_mesh(config),
        }
    }
}
