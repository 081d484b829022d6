//! The sites of the leaves with matter.

use pliant_kernels::math::parallel_range;

use super::VoxelError;
use super::grid::Grid;
use super::materials::{MaterialRule, material, needs_paint};
use super::paint::Paint;

/// Where the leaves of a voxel body are, and their colours: all that rules choose materials by. With it a body that is
/// painted again needs no new voxels.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafSites {
    grid: Grid,
    /// The index in the grid of every leaf with matter, cell after cell.
    pub(super) leaves: Vec<u32>,
    /// The colours of these leaves, if a rule chose by colour when the voxels were made.
    paint: Option<Paint>,
}

impl LeafSites {
    /// The sites of the leaves with these indices in a grid.
    pub(super) fn new(grid: &Grid, leaves: Vec<u32>, paint: Option<&Paint>) -> Self {
        let paint = paint.map(|paint| paint.of_leaves(&leaves));
        Self { grid: *grid, leaves, paint }
    }

    /// Returns the material of each leaf, in the order of [`pliant::body::Contents::leaves`]: the same as
    /// [`voxelize_with`](super::voxelize_with) gives for these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if a rule chooses by colour and the sites [have none](Self::has_colours).
    pub fn materials(&self, rules: &[MaterialRule<'_>]) -> Result<Vec<u32>, VoxelError> {
        needs_paint(rules, self.has_colours())?;
        Ok(self.materials_of(rules))
    }

    /// True if the colours of the leaves are stored: if a rule chose by colour when the voxels were made.
    pub fn has_colours(&self) -> bool {
        self.paint.is_some()
    }

    /// The material of each leaf; without stored colours no leaf is chosen by colour.
    pub(super) fn materials_of(&self, rules: &[MaterialRule<'_>]) -> Vec<u32> {
        parallel_range(self.leaves.len(), |k| {
            let centre = self.grid.leaf_centre(self.grid.leaf(self.leaves[k] as usize));
            let paint = self.paint.as_ref().and_then(|paint| paint.of_leaf(k));
            material(rules, centre, paint)
        })
    }
}
