//! States of leaves: boundary, inside or outside.

use rayon::prelude::*;

use super::grid::Grid;

/// The state of a leaf (Nesme et al. 2006, section 3.1 and figure 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafState {
    /// Full of matter.
    Inside,
    /// The surface passes through it.
    Boundary,
    /// Empty.
    Outside,
}

/// Initial states: touched leaves are boundary, all others are inside for now.
pub(super) fn with_boundary(touched: Vec<bool>) -> Vec<LeafState> {
    let state = |touched| if touched { LeafState::Boundary } else { LeafState::Inside };
    touched.into_iter().map(state).collect()
}

/// True for each cell of a grid without a boundary leaf.
pub(super) fn clear_cells(grid: &Grid, states: &[LeafState]) -> Vec<bool> {
    let is_clear = |cell: &[LeafState]| !cell.contains(&LeafState::Boundary);
    states.par_chunks(grid.leaves_per_cell()).map(is_clear).collect()
}
