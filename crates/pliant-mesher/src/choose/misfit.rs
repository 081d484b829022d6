//! Surfaces that tetrahedra do not follow.

use pliant::geometry::Surface;

use super::parts::Parts;
use crate::TwoWayDistance;
use crate::tets::{TetError, TetReport, Tetrahedra};

/// The largest share of the boundary of the cells that may lie over holes of the surface.
const MOST_OVER_HOLES: f64 = 0.02;

/// The largest share of triangles that enclose nothing. A few doubled triangles are faults of a file, not cloth.
const MOST_SHEETS: f64 = 0.02;

/// The largest distance between the surface and the boundary of the cells, relative to the diagonal. A part of the surface farther away is the tip of an
/// ear or a horn that the cells lost: it would not move of itself. Cells farther away fill a gap between two limbs: they would move together.
const MOST_DISTANCE: f64 = 0.05;

/// The largest number of tetrahedra, over that asked for. Thin parts take more than asked for, and a body of three times as many takes about three times as
/// long.
pub(super) const MOST_CELLS: usize = 3;

/// The number of samples of the distance in each direction: on a cube they are a fiftieth of an edge apart.
const SAMPLES: usize = 20_000;

/// Why a body has voxels and not tetrahedra.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// The tetrahedral mesher returned an error.
    #[error("no tetrahedra can be made for the surface: {0}")]
    Failed(TetError),
    /// The surface has holes.
    #[error("{:.0} % of the boundary of tetrahedra would lie over holes of the surface", 100.0 * share)]
    Open {
        /// The share of the boundary over holes, 0 to 1.
        share: f64,
    },
    /// A part of the surface has no thickness.
    #[error("{sheet_triangles} of {triangles} triangles of the surface enclose nothing")]
    Sheets {
        /// Triangles that enclose nothing.
        sheet_triangles: usize,
        /// All triangles.
        triangles: usize,
    },
    /// A part of the surface is too thin for cells of this size.
    #[error(
        "a part of the surface would reach {distance:.3e} m out of the tetrahedra, which more cells might hold"
    )]
    TooThin {
        /// The distance of the farthest point of the surface from the cells, in m.
        distance: f64,
    },
    /// Cells fill a gap that is too narrow for cells of this size.
    #[error(
        "tetrahedra would fill a gap of the surface, {distance:.3e} m away from it, which more cells might keep open"
    )]
    Filled {
        /// The distance of the farthest point of the cells from the surface, in m.
        distance: f64,
    },
    /// Thin parts take many more cells than asked for.
    #[error("tetrahedra that keep every part would be {cells}, and {asked} are asked for")]
    TooMany {
        /// The number that keeps every part.
        cells: usize,
        /// The number asked for.
        asked: usize,
    },
    /// The cells have other pieces than the surface: a neck is cut, or two parts are joined.
    #[error(
        "tetrahedra would have {} where the surface has {}, which more cells might mend",
        pieces_of(*pieces),
        range(*expected)
    )]
    Pieces {
        /// The number of pieces of the cells.
        pieces: usize,
        /// The smallest and the largest number that the surface can have: shells that overlap may be one piece.
        expected: [usize; 2],
    },
}

fn pieces_of(count: usize) -> String {
    if count == 1 { "1 piece".to_owned() } else { format!("{count} pieces") }
}

fn range([fewest, most]: [usize; 2]) -> String {
    if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") }
}

impl Misfit {
    /// Returns the distances between a surface and its tetrahedra, or the first fault found in them.
    ///
    /// # Errors
    ///
    /// Returns the reason why voxels serve better.
    pub fn of(surface: &Surface, made: &Tetrahedra) -> Result<TwoWayDistance, Self> {
        let TetReport { over_holes, open_edges, sheet_triangles, .. } = made.report;
        let triangles = surface.triangles.len();
        let (cells, asked) = (made.report.cells, made.report.asked_cells);
        if sheet_triangles as f64 > MOST_SHEETS * triangles as f64 {
            return Err(Self::Sheets { sheet_triangles, triangles });
        }
        // A surface without open edges has no holes.
        if open_edges > 0 && over_holes > MOST_OVER_HOLES {
            return Err(Self::Open { share: over_holes });
        }
        if let Some(asked) = asked.filter(|asked| cells > MOST_CELLS.saturating_mul(*asked)) {
            return Err(Self::TooMany { cells, asked });
        }
        let (parts, pieces) = (Parts::of(surface), made.mesh.components().len());
        if !(parts.apart..=parts.shells).contains(&pieces) {
            return Err(Self::Pieces { pieces, expected: [parts.apart, parts.shells] });
        }
        let distance = TwoWayDistance::new(surface, &made.mesh, SAMPLES)
            .map_err(|error| Self::Failed(error.into()))?;
        let (low, high) = surface.bounds();
        let most = MOST_DISTANCE * (high - low).length();
        let TwoWayDistance { surface_to_cells, cells_to_surface } = distance;
        if surface_to_cells > most {
            return Err(Self::TooThin { distance: surface_to_cells });
        }
        if cells_to_surface > most {
            return Err(Self::Filled { distance: cells_to_surface });
        }
        Ok(distance)
    }
}
