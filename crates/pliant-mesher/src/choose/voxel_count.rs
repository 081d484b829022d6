//! Voxels of about a given number.

use pliant::geometry::Surface;

use crate::voxels::{CellSize, VoxelConfig, VoxelError, Voxels, voxelize};

/// The most sizes that are tried.
const MOST_TRIALS: usize = 4;

/// The share by which the number may differ: a body of few cells cannot have every number.
const NEAR: f64 = 0.15;

/// Makes about this many voxels; returns them with their settings.
///
/// Their number grows with a power between two and three of their depth: three for a solid, two for a shell. So every trial corrects the last one.
pub(super) fn voxels_of_about(
    surface: &Surface,
    count: usize,
    degree: usize,
) -> Result<(VoxelConfig, Voxels), VoxelError> {
    let mut config = VoxelConfig { degree, ..VoxelConfig::default() };
    let mut best = voxelize(surface, &config)?;
    for _ in 1..MOST_TRIALS {
        let ratio = best.report.cell_count as f64 / count.max(1) as f64;
        if (ratio - 1.0).abs() <= NEAR {
            break;
        }
        let size = CellSize::Length(best.report.cell_size * ratio.powf(1.0 / 2.5));
        let trial = VoxelConfig { size, ..config };
        let next = voxelize(surface, &trial)?;
        let off =
            |voxels: &Voxels| (voxels.report.cell_count as f64 / count.max(1) as f64).ln().abs();
        if off(&next) >= off(&best) {
            break;
        }
        (config, best) = (trial, next);
    }
    Ok((config, best))
}
