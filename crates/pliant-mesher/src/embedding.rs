//! A detailed surface that moves with a mesh.

use pliant::body::{MeshPoint, Skin};
use pliant::geometry::Surface;
use pliant::mesh::Mesh;

/// A surface and the place of each of its vertices in a mesh (Nesme et al. 2006, section 3.2).
///
/// The first vertices are those of the input surface, in their order; vertices made where triangles were split follow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Embedding {
    /// The surface, at rest.
    pub surface: Surface,
    /// The place of each vertex in the mesh.
    pub places: Vec<MeshPoint>,
}

impl Embedding {
    /// Returns the skin of the surface on the mesh it is embedded in.
    ///
    /// # Panics
    /// If a place refers to a cell that `mesh` does not have.
    pub fn skin(&self, mesh: &Mesh) -> Skin {
        let lines = self.surface.lines.iter().map(|line| line.to_vec()).collect();
        Skin::embedded(mesh, &self.places, self.surface.triangles.clone()).with_lines(lines)
    }
}
