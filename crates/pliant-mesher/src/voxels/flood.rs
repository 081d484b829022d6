//! Inside and outside by flood fill from the border of the grid.

use super::grid::{Grid, for_each_neighbour};
use super::leaf_state::{LeafState, clear_cells};

/// Marks all leaves as outside that a flood from the border reaches without crossing the boundary (Nesme et al. 2006,
/// section 3.1).
///
/// The boundary contains every leaf that the surface touches, so inside and outside leaves do not even share a corner;
/// the flood goes through faces. The border of the inflated box has no inside leaves, so all its leaves except boundary
/// leaves are sources.
pub(super) fn flood(grid: &Grid, states: &mut [LeafState]) {
    let clear = clear_cells(grid, states);
    let mut flood = Flood { grid, states, clear, leaves: Vec::new(), cells: Vec::new() };
    for_each_border_leaf(grid.leaves(), |leaf| flood.reach(leaf));
    flood.run();
}

/// The state of a flood fill. Cells without boundary leaves, most of the outside, are filled as a whole.
struct Flood<'a> {
    grid: &'a Grid,
    states: &'a mut [LeafState],
    /// True for cells without a boundary leaf.
    clear: Vec<bool>,
    /// Leaves whose neighbours are still to be visited.
    leaves: Vec<[u32; 3]>,
    /// Cells whose neighbours are still to be visited.
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

    /// Marks a leaf that is not boundary as outside, and its whole cell if that has no boundary leaf.
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

    /// Visits the face neighbours of a cell: one leaf of a neighbour cell without boundary, else all its leaves on the
    /// face.
    fn reach_around(&mut self, cell: usize) {
        let (grid, side) = (self.grid, self.grid.resolution());
        let place = grid.cell(cell);
        for_each_neighbour(place, grid.cells, |neighbour| {
            let corner = neighbour.map(|x| x << grid.levels);
            if self.clear[grid.cell_index(neighbour)] {
                return self.reach(corner);
            }
            let axis = (0..3).find(|axis| neighbour[*axis] != place[*axis]).unwrap_or(0);
            let is_below = neighbour[axis] < place[axis];
            let layer = corner[axis] + if is_below { side - 1 } else { 0 };
            for_each_in_square(corner, axis, side, |mut leaf| {
                leaf[axis] = layer;
                self.reach(leaf);
            });
        });
    }
}

/// Calls `visit` with the leaves of a square across an axis, with this corner and side.
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
