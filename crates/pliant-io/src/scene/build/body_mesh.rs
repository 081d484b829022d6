//! The mesh of a body, with the surface it was made from.

use pliant::body::{Contents, MaterialPoint};
use pliant::mesh::Mesh;
use pliant_mesher::Embedding;

use super::point_selector::{Files, PointSelector};
use crate::scene::plan::selection::Selection;
use crate::scene::problem::fault::Fault;

/// A mesh, and its contents and embedded surface if it was made from a surface.
#[derive(Debug)]
pub(crate) struct BodyMesh {
    pub(crate) mesh: Mesh,
    pub(crate) contents: Option<Contents>,
    pub(crate) embedding: Option<Embedding>,
}

impl From<Mesh> for BodyMesh {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, contents: None, embedding: None }
    }
}

impl BodyMesh {
    /// Returns the selected points of its surface.
    pub(crate) fn surface_points(
        &self,
        selection: &Selection,
        files: &Files<'_>,
    ) -> Result<Vec<MaterialPoint>, Fault> {
        let Some(Embedding { surface, places }) = &self.embedding else {
            return Err(Fault::NoSurface);
        };
        let (low, high) = self.mesh.bounds();
        let selector = PointSelector::new(selection, files, (high - low).length())?;
        let colour = |vertex: usize| surface.colours.as_ref().map(|colours| colours[vertex]);
        let vertices = surface.vertices.iter().zip(places).enumerate();
        let chosen = vertices.filter(|(vertex, (x, _))| selector.selects(**x, colour(*vertex)));
        Ok(chosen.map(|(_, (_, place))| MaterialPoint::at(&self.mesh, place)).collect())
    }
}
