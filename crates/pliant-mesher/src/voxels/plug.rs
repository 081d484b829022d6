//! Inside and outside of a surface with a few holes.

use glam::DVec3;
use pliant_kernels::math::parallel_map;

use super::fill_by_winding::Winding;
use super::flood::flood;
use super::grid::Grid;
use super::holes::Rim;
use super::leaf_state::LeafState;

/// Floods the grid with all holes plugged, then classifies the plugs by winding numbers.
///
/// Any path through a hole crosses the convex hull of its rim, and so its bounding box: with those boxes closed the
/// surface does not leak. Apart from hollows inside, the result is the same as with winding numbers in the whole grid,
/// but needs few of them.
pub(super) fn flood_plugged(grid: &Grid, rims: &[Rim], winding: Winding, states: &mut [LeafState]) {
    let mut plugs: Vec<usize> = rims.iter().flat_map(|rim| leaves_around(grid, rim)).collect();
    plugs.sort_unstable();
    plugs.dedup();
    plugs.retain(|leaf| states[*leaf] != LeafState::Boundary);
    plugs.iter().for_each(|leaf| states[*leaf] = LeafState::Boundary);
    flood(grid, states);
    let is_inside = |leaf: &usize| winding(grid.leaf_centre(grid.leaf(*leaf))) > 0.5;
    let inside: Vec<bool> = parallel_map(&plugs, is_inside);
    for (leaf, inside) in plugs.iter().zip(inside) {
        states[*leaf] = if inside { LeafState::Inside } else { LeafState::Outside };
    }
}

/// The leaves in the bounding box of a rim, and one more on every side.
fn leaves_around(grid: &Grid, rim: &Rim) -> impl Iterator<Item = usize> {
    let low = grid.leaf_at(grid.in_leaves(rim.low) - DVec3::ONE);
    let high = grid.leaf_at(grid.in_leaves(rim.high) + DVec3::ONE);
    let range = move |axis: usize| low[axis]..=high[axis];
    range(2).flat_map(move |z| {
        range(1).flat_map(move |y| range(0).map(move |x| grid.leaf_index([x, y, z])))
    })
}
