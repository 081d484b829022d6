//! Surfaces that tetrahedra do not follow.

use crate::tets::{TetError, TetReport};

/// The largest share of the boundary of the cells that may lie over holes of the surface.
const MOST_OVER_HOLES: f64 = 0.02;

/// The largest share of triangles that enclose nothing. A few doubled triangles are faults of a file, not cloth.
const MOST_SHEETS: f64 = 0.02;

/// The largest distance of a vertex of the surface from the cells, relative to the diagonal. A vertex farther away is the tip of an ear or a horn that
/// the cells lost: it would not move of itself.
const MOST_DISTANCE: f64 = 0.05;

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
        /// The distance of the farthest vertex from the cells, in m.
        distance: f64,
    },
}

impl Misfit {
    /// The first fault found in tetrahedra for a surface with this many triangles and this diagonal, in m.
    pub(super) fn of(report: &TetReport, triangles: usize, diagonal: f64) -> Option<Self> {
        let TetReport { over_holes, sheet_triangles, farthest_vertex, .. } = *report;
        if sheet_triangles as f64 > MOST_SHEETS * triangles as f64 {
            return Some(Self::Sheets { sheet_triangles, triangles });
        }
        if over_holes > MOST_OVER_HOLES {
            return Some(Self::Open { share: over_holes });
        }
        (farthest_vertex > MOST_DISTANCE * diagonal)
            .then_some(Self::TooThin { distance: farthest_vertex })
    }
}
