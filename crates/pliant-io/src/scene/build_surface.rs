//! Builds a mesh from a surface.

use std::path::Path;

use glam::DAffine3;
use pliant::body::{Contents, MaterialPoint};
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::Embedding;
use pliant_mesher::voxels::{MaterialRule, MaterialSource, VoxelConfig, Voxels, voxelize_with};
use toml::Spanned;

use super::build_tetrahedra;
use super::fault::Fault;
use super::plan::{BodyPlan, RegionPlan, Selection};
use super::select::{Chooser, Files, PAINT_TOLERANCE};
use super::surface_plan::{Mesher, Stiffness, SurfacePlan, SurfaceSource};
use crate::surface::read_surface;

/// A mesh, and its contents and embedded surface if it was made from a surface.
#[derive(Debug)]
pub(super) struct Meshed {
    pub(super) mesh: Mesh,
    pub(super) contents: Option<Contents>,
    pub(super) embedding: Option<Embedding>,
}

impl From<Mesh> for Meshed {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, contents: None, embedding: None }
    }
}

impl Meshed {
    /// Returns the selected points of its surface.
    pub(super) fn surface_points(
        &self,
        selection: &Selection,
        files: &Files<'_>,
    ) -> Result<Vec<MaterialPoint>, Fault> {
        let Some(Embedding { surface, places }) = &self.embedding else {
            return Err(Fault::NoSurface);
        };
        let (low, high) = self.mesh.bounds();
        let chooser = Chooser::new(selection, files, (high - low).length())?;
        let colour = |vertex: usize| surface.colours.as_ref().map(|colours| colours[vertex]);
        let vertices = surface.vertices.iter().zip(places).enumerate();
        let chosen = vertices.filter(|(vertex, (x, _))| chooser.chooses(**x, colour(*vertex)));
        Ok(chosen.map(|(_, (_, place))| MaterialPoint::at(&self.mesh, place)).collect())
    }
}

/// Reads or generates a surface, in scene coordinates.
pub(super) fn surface(
    source: &SurfaceSource,
    base: &Path,
    world_from_mesh: &DAffine3,
) -> Result<Surface, Fault> {
    let mut surface = match source {
        SurfaceSource::File(path) => read_surface(&base.join(path))?,
        SurfaceSource::Figure(figure, edge) => figure.surface(*edge),
    };
    for vertex in &mut surface.vertices {
        *vertex = world_from_mesh.transform_point3(*vertex);
    }
    if let Some(normals) = &mut surface.normals {
        for normal in normals.iter_mut().flatten() {
            *normal = world_from_mesh.transform_vector3(*normal);
        }
    }
    Ok(surface)
}

/// Builds a mesh from a surface; an error carries its position in the text.
pub(super) fn meshed(
    body: &BodyPlan,
    plan: &SurfacePlan,
    files: &Files<'_>,
) -> Result<Meshed, Box<Spanned<Fault>>> {
    let at_mesh = |fault: Fault| Box::new(Spanned::new(body.mesh.span.clone(), fault));
    let surface = surface(&plan.source, files.base, files.world_from_mesh).map_err(at_mesh)?;
    match &plan.mesher {
        Mesher::Voxels { config, stiffness } => {
            let voxels = voxels(&surface, config, &body.regions, files);
            let Voxels { mesh, contents, embedding, .. } = voxels.map_err(at_mesh)?;
            let contents = match stiffness {
                Stiffness::Distributed => contents,
                Stiffness::Uniform => contents.smeared(),
            };
            Ok(Meshed { mesh, contents: Some(contents), embedding: Some(embedding) })
        }
        Mesher::Tetrahedra { config, finer } => {
            build_tetrahedra::meshed(body, surface, config, finer, files)
        }
    }
}

/// Voxelizes a surface; the leaves in the k-th region (counted from 0) have material k + 1.
fn voxels(
    surface: &Surface,
    config: &VoxelConfig,
    regions: &[RegionPlan],
    files: &Files<'_>,
) -> Result<Voxels, Fault> {
    let (low, high) = surface.bounds();
    let size = (high - low).length();
    let choosers: Vec<Chooser> = regions
        .iter()
        .map(|region| Chooser::of_region(region, files, size))
        .collect::<Result<_, _>>()?;
    let choices: Vec<_> =
        choosers.iter().map(|chooser| move |x| chooser.chooses(x, None)).collect();
    let rules: Vec<MaterialRule<'_>> = (1u32..)
        .zip(choosers.iter().zip(&choices))
        .map(|(material, (chooser, choice))| {
            let source = match chooser {
                Chooser::Painted(colour) => {
                    MaterialSource::Painted { colour: *colour, tolerance: PAINT_TOLERANCE }
                }
                _ => MaterialSource::Region(choice),
            };
            MaterialRule { material, source }
        })
        .collect();
    Ok(voxelize_with(surface, config, &rules)?)
}
