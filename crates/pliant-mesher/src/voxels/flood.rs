//! Telling outside from inside by flooding the grid from its border.

use super::grid::{Grid, for_each_neighbour};
use super::leaf_state::LeafState;

/// Floods the grid from its border: what the flood reaches without crossing the boundary is outside
/// (Nesme et al. 2006, section 3.1).
///
/// The boundary holds every leaf the surface touches, so leaves on its two sides never share so
/// much as a corner; the flood goes through faces. On the border of the inflated box there is
/// no inside, so all its leaves that are not boundary are sources.
pub(super) fn flood(grid: &Grid, states: &mut [LeafState]) {
    let is_clear = |cell: &[LeafState]| !cell.contains(&LeafState::Boundary);
    let clear = states.chunks(grid.leaves_per_cell()).map(is_clear).collect();
    let mut flood = Flood { grid, states, clear, leaves: Vec::new(), cells: Vec::new() };
    for_each_border_leaf(grid.leaves(), |leaf| flood.reach(leaf));
    flood.run();
}

/// A flood under way. It takes cells without boundary as a whole, which is what most of the outside
/// consists of.
struct Flood<'a> {
    grid: &'a Grid,
    states: &'a mut [LeafState],
    /// Which cells have no boundary leaf.
    clear: Vec<bool>,
    /// Leaves whose neighbours have still to be reached.
    leaves: Vec<[u32; 3]>,
    /// Cells whose neighbours have still to be reached.
    cells: Vec<usize>,
}

impl Flood<'_> {
    fn run(&mut self) {
        let counts = self.grid.leaves();
        loop {
            if let Some(leaf) = self.leaves.pop() {
                for_each_neighbour(leaf, counts, |neighbour| self.reach(neighbour));
            } else if let Some(cell) = self.cells.pop() {
                self.reach_around(cell);
            } else {
                return;
            }
        }
    }

    /// A leaf that is not boundary, and its whole cell if it has none, is outside.
    fn reach(&mut self, leaf: [u32; 3]) {
        let index = self.grid.leaf_index(leaf);
        if self.states[index] != LeafState::Inside {
            return;
        }
        let (cell, size) = (index >> (3 * self.grid.levels), self.grid.leaves_per_cell());
        if self.clear[cell] {
            self.states[cell * size..(cell + 1) * size].fill(LeafState::Outside);
            self.cells.push(cell);
        } else {
            self.states[index] = LeafState::Outside;
            self.leaves.push(leaf);
        }
    }

    /// Reaches all leaves that share a face with a cell.
    fn reach_around(&mut self, cell: usize) {
        let (side, counts) = (self.grid.resolution(), self.grid.leaves());
        let corner = self.grid.cell(cell).map(|x| x << self.grid.levels);
        for axis in 0..3 {
            let below = corner[axis].checked_sub(1);
            let above = Some(corner[axis] + side).filter(|x| *x < counts[axis]);
            for layer in [below, above].into_iter().flatten() {
                for_each_in_square(corner, axis, side, |mut leaf| {
                    leaf[axis] = layer;
                    self.reach(leaf);
                });
            }
        }
    }
}

/// Leaves of the square of a side length that spreads from a corner across an axis.
fn for_each_in_square(corner: [u32; 3], axis: usize, side: u32, mut visit: impl FnMut([u32; 3])) {
    let mut leaf = corner;
    let [u, v] = [[1, 2], [0, 2], [0, 1]][axis];
    for second in 0..side {
        leaf[v] = corner[v] + second;
        for first in 0..side {
            leaf[u] = corner[u] + first;
            visit(leaf);
        }
    }
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
