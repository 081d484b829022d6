//! The matter in voxels.

use pliant::body::Contents;
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::Embedding;
use pliant_mesher::voxels::{
    LeafSites, MaterialRule, MaterialSource, VoxelConfig, Voxels, voxelize_with,
};

use super::point_selector::{Files, PAINT_TOLERANCE, PointSelector};
use crate::scene::plan::body::RegionPlan;
use crate::scene::plan::selection::Selection;
use crate::scene::plan::surface::Stiffness;
use crate::scene::problem::fault::Fault;

/// The matter in voxels, whose materials follow from the regions of a body.
#[derive(Debug)]
pub(crate) struct Filling {
    /// The contents for the first regions.
    contents: Contents,
    /// The selections of these regions.
    selections: Vec<Option<Selection>>,
    sites: LeafSites,
    /// Size of the surface, in m.
    size: f64,
    stiffness: Stiffness,
}

/// Voxelizes a surface; the leaves in the k-th region (counted from 0) have material k + 1.
pub(crate) fn voxels(
    surface: &Surface,
    config: &VoxelConfig,
    stiffness: Stiffness,
    regions: &[RegionPlan],
    files: &Files<'_>,
) -> Result<(Mesh, Embedding, Filling), Fault> {
    let (low, high) = surface.bounds();
    let size = (high - low).length();
    let made = with_rules(regions, files, size, |rules| voxelize_with(surface, config, rules))?;
    let Voxels { mesh, contents, sites, embedding, .. } = made?;
    let selections = selections(regions);
    Ok((mesh, embedding, Filling { contents, selections, sites, size, stiffness }))
}

impl Filling {
    /// True if it has the colours that these regions may select.
    pub(crate) fn serves(&self, regions: &[RegionPlan]) -> bool {
        let by_colour =
            |selection: &Option<Selection>| matches!(selection, Some(Selection::Painted(_)));
        self.sites.has_colours() || !selections(regions).iter().any(by_colour)
    }

    /// Returns the contents of the cells for these regions: the same as if the voxels were made again.
    pub(crate) fn contents(
        &self,
        regions: &[RegionPlan],
        files: &Files<'_>,
    ) -> Result<Contents, Fault> {
        let mut contents = self.contents.clone();
        if selections(regions) != self.selections {
            let materials =
                with_rules(regions, files, self.size, |rules| self.sites.materials(rules))?;
            let leaves = contents.leaves.iter_mut();
            leaves.zip(materials?).for_each(|(leaf, material)| leaf.material = material);
        }
        Ok(match self.stiffness {
            Stiffness::Distributed => contents,
            Stiffness::Uniform => contents.smeared(),
        })
    }
}

fn selections(regions: &[RegionPlan]) -> Vec<Option<Selection>> {
    let selection = |region: &RegionPlan| Some(region.selection.as_ref()?.get_ref().clone());
    regions.iter().map(selection).collect()
}

/// Calls `f` with the rules of these regions of a body of this size in m.
fn with_rules<T>(
    regions: &[RegionPlan],
    files: &Files<'_>,
    size: f64,
    f: impl FnOnce(&[MaterialRule<'_>]) -> T,
) -> Result<T, Fault> {
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
    Ok(f(&rules))
}
