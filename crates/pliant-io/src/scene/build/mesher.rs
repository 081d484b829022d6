//! Builds a mesh from a surface.

use pliant::geometry::Surface;
use pliant_mesher::voxels::{MaterialRule, MaterialSource, VoxelConfig, Voxels, voxelize_with};
use toml::Spanned;

use super::chooser::{Chooser, Files, PAINT_TOLERANCE};
use super::meshed::Meshed;
use super::surface::surface;
use super::tetrahedra;
use crate::scene::plan::body::{BodyPlan, RegionPlan};
use crate::scene::plan::surface::{Mesher, Stiffness, SurfacePlan};
use crate::scene::problem::fault::Fault;

/// Builds a mesh from a surface; an error carries its position in the text.
pub(crate) fn meshed(
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
            tetrahedra::meshed(body, surface, config, finer, files)
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
