//! Which leaves are matter: boundary, inside and outside.

use glam::DVec3;
use rayon::prelude::*;

use super::grid::{Grid, for_each_neighbour};

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

/// Floods the grid from its border: what the flood reaches without crossing the boundary is outside.
///
/// The boundary holds every leaf the surface touches, so leaves on its two sides never share so
/// much as a corner; the flood goes through faces. On the border of the inflated box there is
/// no inside, so all its leaves that are not boundary are sources.
pub(super) fn flood(grid: &Grid, states: &mut [LeafState]) {
    let counts = grid.leaves();
    let mut front = Vec::new();
    let mut reach = |leaf: [u32; 3], front: &mut Vec<[u32; 3]>| {
        let state = &mut states[grid.leaf_index(leaf)];
        if *state == LeafState::Inside {
            *state = LeafState::Outside;
            front.push(leaf);
        }
    };
    for_each_border_leaf(counts, |leaf| reach(leaf, &mut front));
    while let Some(leaf) = front.pop() {
        for_each_neighbour(leaf, counts, |neighbour| reach(neighbour, &mut front));
    }
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

fn for_each_border_leaf([nx, ny, nz]: [u32; 3], mut visit: impl FnMut([u32; 3])) {
    for z in 0..nz {
        for y in 0..ny {
            let whole_row = z == 0 || z + 1 == nz || y == 0 || y + 1 == ny;
            let step = if whole_row { 1 } else { (nx - 1).max(1) };
            (0..nx).step_by(step as usize).for_each(|x| visit([x, y, z]));
        }
    }
}
