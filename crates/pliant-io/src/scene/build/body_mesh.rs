//! The mesh of a body, with the surfaces that belong to it.

use pliant::body::{MaterialPoint, Skin, Splinters};
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::Embedding;

use super::filling::Filling;
use super::point_selector::{Files, PointSelector};
use crate::scene::plan::body::RegionPlan;
use crate::scene::plan::selection::Selection;
use crate::scene::problem::fault::Fault;

/// The part of a body that takes long to make: its mesh and surfaces.
///
/// It does not depend on pins, pulls, regions and materials, so a body with others is built on the same mesh.
#[derive(Debug)]
pub struct BodyMesh {
    pub(crate) mesh: Mesh,
    /// The matter in its cells, if they are voxels.
    pub(crate) filling: Option<Filling>,
    /// The surface that it was made from.
    pub(crate) embedding: Option<Embedding>,
    pub(crate) outside: Outside,
    /// The kind of cells that was chosen for its surface, and why.
    pub(crate) choice: Option<String>,
}

/// The outside of a body.
#[derive(Debug)]
pub(crate) enum Outside {
    /// The boundary of its cells, or the embedded surface of a rigid body.
    Plain,
    /// The embedded surface.
    Embedded(Skin),
    /// Splinters, and their surface.
    Splinters(Box<Splinters>, Surface),
    /// The solid of a rigid body without an embedded surface.
    Solid(Surface),
}

impl From<Mesh> for BodyMesh {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, filling: None, embedding: None, outside: Outside::Plain, choice: None }
    }
}

impl BodyMesh {
    /// The surface that the body was made from, if any: its vertices are those of the skin, with the artist's normals,
    /// texture coordinates and colours.
    pub fn surface(&self) -> Option<&Surface> {
        match &self.outside {
            Outside::Splinters(_, surface) | Outside::Solid(surface) => Some(surface),
            Outside::Plain | Outside::Embedded(_) => {
                self.embedding.as_ref().map(|embedding| &embedding.surface)
            }
        }
    }

    /// The kind of cells, and why, if the scene leaves the choice: `voxels, because …`.
    pub fn choice(&self) -> Option<&str> {
        self.choice.as_deref()
    }

    /// True if a body with these regions can be built on it.
    pub(crate) fn serves(&self, regions: &[RegionPlan]) -> bool {
        self.filling.as_ref().is_none_or(|filling| filling.serves(regions))
    }

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
