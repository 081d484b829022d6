//! Adaptive degree within cells: the terms of tied nodes are added to the ends of their edges.

use rayon::prelude::*;

use crate::body::{Batch, Model, Unknowns};
use crate::force::{CellBlocks, pair_count, pair_index};
use pliant_kernels::math::{LANES, Mat3};

/// Cells that one task folds.
const CELLS_PER_TASK: usize = 256;

/// Replaces the blocks K of every cell by those of CᵀKC. Rows and columns of tied nodes keep their values, which are
/// not used.
///
/// A tied node m = ½ (a + b) belongs to an edge, and every cell with the node has both ends:
///
/// ```text
/// K′ᵢⱼ = Kᵢⱼ + tᵢ Kₘⱼ + Kᵢₘ tⱼ + tᵢ tⱼ Kₘₘ        t = ½ at a and b, else 0
/// ```
///
/// one tied node after the other, so that a product of two of them gets the factor ¼.
pub(in crate::solver::linear) fn fold_ties(
    model: &Model,
    unknowns: &Unknowns,
    cells: &mut CellBlocks,
) {
    if !unknowns.has_ties() {
        return;
    }
    for (index, batch) in model.batches().iter().enumerate() {
        let range = cells.batch_start[index]..cells.batch_start[index + 1];
        let (size, blocks) = (pair_count(batch), &mut cells.blocks[range]);
        let done = cells.corners_only[index];
        let fold = |(task, blocks): (usize, &mut [Mat3])| {
            for (k, blocks) in blocks.chunks_mut(size).enumerate() {
                let cell = task * CELLS_PER_TASK + k;
                if !(done && is_linear(batch, cell, unknowns)) {
                    fold_cell(batch, cell, unknowns, blocks);
                }
            }
        };
        if batch.cells.len() <= 8 * CELLS_PER_TASK {
            blocks.chunks_mut(CELLS_PER_TASK * size).enumerate().for_each(fold);
        } else {
            blocks.par_chunks_mut(CELLS_PER_TASK * size).enumerate().for_each(fold);
        }
    }
}

/// True if all nodes of a cell except its corners are tied.
fn is_linear(batch: &Batch, cell: usize, unknowns: &Unknowns) -> bool {
    let mut others = batch.pack_nodes(cell / LANES)[batch.kind.corner_count()..].iter();
    others.all(|lanes| unknowns.ends(lanes[cell % LANES]).is_some())
}

fn fold_cell(batch: &Batch, cell: usize, unknowns: &Unknowns, blocks: &mut [Mat3]) {
    let (nodes, lane) = (batch.pack_nodes(cell / LANES), cell % LANES);
    let place = |end: u32| nodes.iter().position(|lanes| lanes[lane] == end);
    for (m, lanes) in nodes.iter().enumerate() {
        let Some(ends) = unknowns.ends(lanes[lane]) else { continue };
        let ends = ends.map(|end| place(end).expect("a cell has both ends of its edges"));
        fold_node(m, ends, nodes.len(), blocks);
    }
}

fn fold_node(m: usize, ends: [usize; 2], n: usize, blocks: &mut [Mat3]) {
    let own = blocks[pair_index(m, m)] * 0.25;
    for j in (0..n).filter(|j| *j != m) {
        // Half of K_mj and of its transpose K_jm.
        let (row, column) = if m < j {
            let half = blocks[pair_index(m, j)] * 0.5;
            (half, half.transpose())
        } else {
            let half = blocks[pair_index(j, m)] * 0.5;
            (half.transpose(), half)
        };
        for e in ends {
            if e <= j {
                blocks[pair_index(e, j)] += row;
            }
            if j <= e {
                blocks[pair_index(j, e)] += column;
            }
        }
    }
    let [a, b] = ends;
    for (i, j) in [(a, a), (b, b), (a.min(b), a.max(b))] {
        blocks[pair_index(i, j)] += own;
    }
}
