//! The adjacency graph of a matrix.

use pliant_kernels::math::Rows;

use crate::BlockMatrix;

/// The unknowns that share an off-diagonal block with each unknown, in both directions.
#[derive(Debug)]
pub(crate) struct Neighbours(Rows);

impl Neighbours {
    pub(crate) fn new(matrix: &BlockMatrix) -> Self {
        Self(Rows::from_pairs(matrix.size(), || {
            let pairs = (0..matrix.size()).flat_map(|column| {
                let range = matrix.column_start[column] + 1..matrix.column_start[column + 1];
                matrix.rows[range].iter().map(move |row| (column, *row as usize))
            });
            pairs.flat_map(|(a, b)| [(a, b as u32), (b, a as u32)])
        }))
    }

    /// Number of unknowns.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The neighbours of one unknown.
    pub(crate) fn of(&self, unknown: u32) -> &[u32] {
        self.0.row(unknown as usize)
    }
}
