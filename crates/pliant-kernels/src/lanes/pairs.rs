//! The order of the stiffness blocks of a cell.

use super::Batch;

/// Returns the number of stiffness blocks (a, b), a ≤ b, of a cell of the batch.
pub fn pair_count(batch: &Batch) -> usize {
    let n = batch.kind.node_count();
    n * (n + 1) / 2
}

/// Returns the index of the block (a, b), a ≤ b, among those of a cell.
pub const fn pair_index(a: usize, b: usize) -> usize {
    b * (b + 1) / 2 + a
}
