//! Connected pieces of matter inside a cell.

use rayon::prelude::*;

use super::grid::{Grid, for_each_neighbour};
use super::leaf_state::LeafState;

/// Marks an empty leaf, which has no piece.
const NONE: u32 = u32::MAX;

/// The matter of each grid cell, in pieces that do not touch within the cell.
///
/// Leaves with a common face belong to one piece; a common edge or corner is not enough. This is the right rule: the
/// leaves that a connected surface touches are connected by faces, because a surface that passes exactly through an
/// edge touches all four leaves around it. So a connected part stays connected in the cell, and legs, fingers and lips
/// are separated if there is an empty leaf between them. Closer parts are joined; finer leaves separate them.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    /// The index of each leaf's piece within its cell.
    local: Vec<u32>,
    /// The pieces of grid cell `c` are `start[c]..start[c + 1]`.
    start: Vec<u32>,
}

/// Two pieces that touch across the face between their cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    /// The axis across the face.
    pub(super) axis: usize,
    /// The piece of the lower cell.
    pub(super) lower: u32,
    /// The piece of the upper cell.
    pub(super) upper: u32,
}

impl Pieces {
    pub(super) fn new(grid: &Grid, states: &[LeafState]) -> Self {
        let size = grid.leaves_per_cell();
        let mut local = vec![NONE; states.len()];
        let cells = local.par_chunks_mut(size).zip(states.par_chunks(size));
        let counts: Vec<u32> =
            cells.map(|(labels, states)| label_pieces(grid, states, labels)).collect();
        let mut start = vec![0];
        for count in counts {
            start.push(start[start.len() - 1] + count);
        }
        Self { local, start }
    }

    /// The number of pieces in all cells.
    pub(super) fn count(&self) -> usize {
        self.start[self.start.len() - 1] as usize
    }

    /// The pieces of a cell of the grid.
    pub(super) fn of_cell(&self, cell: usize) -> std::ops::Range<u32> {
        self.start[cell]..self.start[cell + 1]
    }

    /// The piece of a leaf; `None` if the leaf is empty.
    pub(super) fn of_leaf(&self, grid: &Grid, leaf: usize) -> Option<u32> {
        let local = self.local[leaf];
        let cell = leaf >> (3 * grid.levels);
        (local != NONE).then(|| self.start[cell] + local)
    }

    /// All pairs of pieces that touch across a face of the grid, in the order of the cells.
    pub(super) fn links(&self, grid: &Grid) -> Vec<Link> {
        let of_cell = |cell: usize| (0..3).flat_map(move |axis| self.face_links(grid, cell, axis));
        (0..grid.cell_count()).into_par_iter().flat_map_iter(of_cell).collect()
    }

    /// The links across the upper face of a cell along an axis.
    fn face_links(&self, grid: &Grid, cell: usize, axis: usize) -> Vec<Link> {
        let mut above = grid.cell(cell);
        above[axis] += 1;
        if above[axis] == grid.cells[axis] {
            return Vec::new();
        }
        let above = grid.cell_index(above);
        if self.of_cell(cell).is_empty() || self.of_cell(above).is_empty() {
            return Vec::new();
        }
        let first = |cell: usize| cell << (3 * grid.levels);
        // The index offset from a leaf on the lower face of a cell to the one on the upper face in the same row.
        let across = ((grid.resolution() - 1) as usize) << (axis as u32 * grid.levels);
        let pairs = face_leaves(grid, axis).filter_map(|leaf| {
            let lower = self.of_leaf(grid, first(cell) + leaf + across)?;
            let upper = self.of_leaf(grid, first(above) + leaf)?;
            Some((lower, upper))
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().map(|(lower, upper)| Link { axis, lower, upper }).collect()
    }
}

/// The leaves on the lower face of a cell along an axis, by their index in the cell.
fn face_leaves(grid: &Grid, axis: usize) -> impl Iterator<Item = usize> {
    let (side, levels) = (grid.resolution() as usize, grid.levels);
    let [u, v] = [[1, 2], [0, 2], [0, 1]][axis].map(|other: u32| other * levels);
    (0..side * side).map(move |k| ((k & (side - 1)) << u) + ((k >> levels) << v))
}

/// Labels the pieces of one cell in the order of their first leaves; returns their number.
fn label_pieces(grid: &Grid, states: &[LeafState], labels: &mut [u32]) -> u32 {
    let all_are = |wanted| states.iter().all(|state| *state == wanted);
    if all_are(LeafState::Outside) {
        return 0;
    }
    if all_are(LeafState::Inside) {
        labels.fill(0);
        return 1;
    }
    let mut count = 0;
    let mut front = Vec::new();
    for seed in 0..states.len() {
        if states[seed] != LeafState::Outside && labels[seed] == NONE {
            labels[seed] = count;
            front.push(seed);
            spread_label(grid, states, labels, &mut front);
            count += 1;
        }
    }
    count
}

/// Spreads the label of the leaves in `front` through faces as far as there is matter.
fn spread_label(grid: &Grid, states: &[LeafState], labels: &mut [u32], front: &mut Vec<usize>) {
    let levels = grid.levels;
    while let Some(leaf) = front.pop() {
        let label = labels[leaf];
        for_each_neighbour(grid.place_in_cell(leaf), [grid.resolution(); 3], |place| {
            let [x, y, z] = place.map(|x| x as usize);
            let neighbour = (((z << levels) + y) << levels) + x;
            if states[neighbour] != LeafState::Outside && labels[neighbour] == NONE {
                labels[neighbour] = label;
                front.push(neighbour);
            }
        });
    }
}
