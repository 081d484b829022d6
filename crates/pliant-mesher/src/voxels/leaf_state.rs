//! Which leaves are matter: boundary, inside and outside.

use glam::DVec3;
use rayon::prelude::*;

use super::grid::Grid;

/// A winding number: about 1 at points inside a surface and 0 outside.
pub type Winding<'a> = &'a (dyn Fn(DVec3) -> f64 + Sync);

/// What a leaf is (Nesme et al. 2006, section 3.1 and figure 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeafState {
    /// Full of matter.
    Inside,
    /// The surface passes through it.
    Boundary,
    /// Empty.
    Outside,
}

/// Every leaf of a grid, of which those touched are boundary and all others for now inside.
pub(super) fn with_boundary(grid: &Grid, touched: &[Vec<u32>]) -> Vec<LeafState> {
    let mut states = vec![LeafState::Inside; grid.leaf_count()];
    for leaf in touched.iter().flatten() {
        states[*leaf as usize] = LeafState::Boundary;
    }
    states
}

/// Leaves off the boundary are inside where the winding number of their middle is above a half.
pub(super) fn wind(grid: &Grid, winding: Winding, states: &mut [LeafState]) {
    states.par_iter_mut().enumerate().for_each(|(index, state)| {
        let centre = grid.leaf_centre(grid.leaf(index));
        if *state != LeafState::Boundary && winding(centre) <= 0.5 {
            *state = LeafState::Outside;
        }
    });
}
