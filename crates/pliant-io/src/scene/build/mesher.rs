//! Builds a mesh from a surface.

use pliant::geometry::Surface;
use pliant_mesher::voxels::{MaterialRule, MaterialSource, VoxelConfig, Voxels, voxelize_with};
use toml::Spanned;

use super::body_mesh::BodyMesh;
use super::point_selector::{Files, PAINT_TOLERANCE, PointSelector};
use super::surface::surface;
use super::tetrahedra;
use crate::scene::plan::body::{BodyPlan, RegionPlan};
use crate::scene::plan::surface::{Mesher, Stiffness, SurfacePlan};
use crate::scene::problem::fault::Fault;

/// Builds a mesh from a surface; an error carries its position in the text.
pub(crate) fn body_mesh(
    body: &BodyPlan,
    plan: &SurfacePlan,
    files: &Files<'_>,
) -> Result<BodyMesh, Box<Spanned<Fault>>> {
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
            Ok(BodyMesh { mesh, contents: Some(contents), embedding: Some(embedding) })
        }
        Mesher::Tetrahedra { config, finer } => {
            tetrahedra::body_mesh(body, surface, config, finer, files)
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
    let selectors: Vec<PointSelector> = regions
        .iter()
        .map(|region| PointSelector::of_region(region, files, size))
        .collect::<Result<_, _>>()?;
    let choices: Vec<_> =
        selectors.iter().map(|selector| move |x| selector.selects(x, None)).collect();
    let rules: Vec<MaterialRule<'_>> = (1u32..)
        .zip(selectors.iter().zip(&choices))
        .map(|(material, (selector, choice))| {
            let source = match selector {
                PointSelector::Painted(colour) => {
                    MaterialSource::Painted { colour: *colour, tolerance: PAINT_TOLERANCE }
                }
                _ => MaterialSource::Region(choice),
            };
            MaterialRule { material, source }
        })
        .collect();
    Ok(voxelize_with(surface, config, &rules)?)
}
