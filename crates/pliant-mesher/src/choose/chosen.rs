//! The choice between tetrahedra and voxels.

use std::fmt;

use pliant::geometry::Surface;

use super::misfit::MOST_CELLS;
use super::voxel_count::voxels_of_about;
use super::{Misfit, SurfaceCellsError};
use crate::TwoWayDistance;
use crate::tets::{Size, TetConfig, TetError, Tetrahedra, tetrahedra_up_to};
use crate::voxels::{VoxelConfig, Voxels};

/// Cells that were chosen for a surface; displayed as the kind of cells and the reason.
#[derive(Debug, Clone)]
pub enum ChosenCells {
    /// Tetrahedra, which follow the surface.
    Tetrahedra {
        /// The cells.
        made: Box<Tetrahedra>,
        /// How closely they follow it.
        distance: TwoWayDistance,
    },
    /// Voxels, because tetrahedra do not.
    Voxels {
        /// The cells.
        made: Box<Voxels>,
        /// The settings that make them.
        config: VoxelConfig,
        /// The reason.
        misfit: Misfit,
    },
}

impl ChosenCells {
    /// Makes about this many cells: tetrahedra if they follow the surface, else voxels. The default degree is 2 for
    /// tetrahedra and 1 for voxels, whose highest is 2.
    ///
    /// ```
    /// use pliant_mesher::choose::ChosenCells;
    /// use pliant_mesher::gallery::Figure;
    ///
    /// let chosen = ChosenCells::new(&Figure::Shirt.surface(0.05), 200, None)?;
    /// assert!(chosen.to_string().starts_with("voxels, because"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is out of range or neither mesher takes the surface.
    pub fn new(
        surface: &Surface,
        cells: usize,
        degree: Option<usize>,
    ) -> Result<Self, SurfaceCellsError> {
        let config = TetConfig { size: Size::CellCount(cells), ..TetConfig::default() };
        let config = TetConfig { degree: degree.unwrap_or(config.degree), ..config };
        let most = MOST_CELLS.saturating_mul(cells);
        let misfit = match tetrahedra_up_to(surface, &config, most) {
            Ok(made) => match Misfit::of(surface, &made) {
                Ok(distance) => return Ok(Self::Tetrahedra { made: Box::new(made), distance }),
                Err(misfit) => misfit,
            },
            // Voxels would not mend it.
            Err(error @ (TetError::Setting { .. } | TetError::TooManyCells { .. })) => {
                return Err(error.into());
            }
            Err(error) => Misfit::Failed(error),
        };
        let degree = degree.unwrap_or(VoxelConfig::default().degree).min(2);
        let (config, made) = voxels_of_about(surface, cells, degree)?;
        Ok(Self::Voxels { made: Box::new(made), config, misfit })
    }
}

impl fmt::Display for ChosenCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tetrahedra { distance, .. } => write!(
                f,
                "tetrahedra, because they follow the surface: it is at most {:.1e} m from them, and they from it {:.1e} m",
                distance.surface_to_cells, distance.cells_to_surface
            ),
            Self::Voxels { misfit, .. } => write!(f, "voxels, because {misfit}"),
        }
    }
}
