//! The order of the stiffness blocks of a cell.

use super::Batch;

/// Blocks that a cell of the batch has.
pub fn pair_count(batch: &Batch) -> usize {
    let n = batch.kind.node_count();
    n * (n + 1) / 2
}

/// Place of the block (a, b), a ≤ b, among those of a cell.
pub const fn pair_index(a: usize, b: usize) -> usize {
    b * (b + 1) / 2 + a
}
