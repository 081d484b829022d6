//! Errors of both meshers.

use crate::tets::TetError;
use crate::voxels::VoxelError;

/// A surface, or settings, that make no cells.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceCellsError {
    /// The error of the tetrahedral mesher.
    #[error(transparent)]
    Tetrahedra(#[from] TetError),
    /// The error of the voxel mesher.
    #[error(transparent)]
    Voxels(#[from] VoxelError),
}
