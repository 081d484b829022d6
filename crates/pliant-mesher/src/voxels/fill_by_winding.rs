//! Inside and outside by winding numbers.

use glam::DVec3;
use rayon::prelude::*;

use super::grid::Grid;
use super::leaf_state::{LeafState, clear_cells};

/// A winding number: about 1 at points inside a surface and 0 outside.
pub type Winding<'a> = &'a (dyn Fn(DVec3) -> f64 + Sync);

/// The largest distance to 0 or 1 of the winding number at a cell's centre that decides for the whole cell.
const DECISIVE_MARGIN: f64 = 0.05;

/// Marks leaves off the boundary as inside if the winding number of their centre is above one half, else as outside.
///
/// Winding numbers are harmonic away from the surface. If they lie between 0 and 1, and the surface is farther than R =
/// 1.5 cells from the centre of a cell, then Harnack's inequality bounds them in the cell, at most r = √3/2 cells away,
/// by
///
/// ```text
/// w(x) ≤ R (R + r) / (R − r)² w(0) ≈ 8.8 w(0)
/// ```
///
/// and 1 − w in the same way, so that one value below 0.05 or above 0.95 decides for the whole cell. Where sheets
/// overlap and winding numbers exceed 0 to 1, this is a good guess.
pub(super) fn fill_by_winding(grid: &Grid, winding: Winding, states: &mut [LeafState]) {
    let size = grid.leaves_per_cell();
    let clear = clear_cells(grid, states);
    states.par_chunks_mut(size).enumerate().for_each(|(cell, states)| {
        let middle = is_far(grid, &clear, cell).then(|| winding(grid.cell_centre(cell)));
        match middle {
            Some(w) if w.abs() < DECISIVE_MARGIN => states.fill(LeafState::Outside),
            Some(w) if (1.0 - w).abs() < DECISIVE_MARGIN => {}
            _ => wind_leaves(grid, winding, cell * size, states),
        }
    });
}

/// Classifies leaf by leaf; `first` is the index of the first.
fn wind_leaves(grid: &Grid, winding: Winding, first: usize, states: &mut [LeafState]) {
    for (k, state) in states.iter_mut().enumerate() {
        if *state != LeafState::Boundary {
            let w = winding(grid.leaf_centre(grid.leaf(first + k)));
            // A winding number that is NaN counts as outside.
            *state = if w > 0.5 { LeafState::Inside } else { LeafState::Outside };
        }
    }
}

/// True if neither a cell nor any cell that shares a corner with it has boundary leaves.
fn is_far(grid: &Grid, clear: &[bool], cell: usize) -> bool {
    let [x, y, z] = grid.cell(cell);
    let around = |x: u32, axis: usize| x.saturating_sub(1)..(x + 2).min(grid.cells[axis]);
    around(z, 2)
        .all(|z| around(y, 1).all(|y| around(x, 0).all(|x| clear[grid.cell_index([x, y, z])])))
}
