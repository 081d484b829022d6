//! The wished cells of a body.

use crate::tets::TetConfig;
use crate::voxels::VoxelConfig;

/// The cells to make for a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellMethod {
    /// Tetrahedra if they follow the surface, else voxels ([`Misfit`](super::Misfit) says why).
    Automatic {
        /// The approximate number of cells (default `200`). Twice as many take about twice the time of a step.
        cells: usize,
        /// The degree of the cells (default: 2 for tetrahedra, 1 for voxels). Voxels of a higher degree than 2 do not exist: they take 2 then.
        degree: Option<usize>,
    },
    /// Tetrahedra with these settings.
    Tetrahedra(TetConfig),
    /// Voxels with these settings.
    Voxels(VoxelConfig),
}

impl CellMethod {
    /// The default number of cells: enough for limbs that bend, few enough for a dozen bodies in a frame.
    pub const DEFAULT_CELLS: usize = 200;
}

impl Default for CellMethod {
    fn default() -> Self {
        Self::Automatic { cells: Self::DEFAULT_CELLS, degree: None }
    }
}
