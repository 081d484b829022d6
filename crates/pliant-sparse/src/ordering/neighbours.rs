//! The adjacency graph of a matrix.

use crate::BlockMatrix;

/// The unknowns that share an off-diagonal block with each unknown, in both directions.
#[derive(Debug)]
pub(crate) struct Neighbours {
    start: Vec<usize>,
    others: Vec<u32>,
}

impl Neighbours {
    pub(crate) fn new(matrix: &BlockMatrix) -> Self {
        let pairs = || {
            (0..matrix.size()).flat_map(|column| {
                let range = matrix.column_start[column] + 1..matrix.column_start[column + 1];
                matrix.rows[range].iter().map(move |row| (column, *row as usize))
            })
        };
        let mut start = vec![0; matrix.size() + 1];
        for (a, b) in pairs() {
            start[a + 1] += 1;
            start[b + 1] += 1;
        }
        for unknown in 0..matrix.size() {
            start[unknown + 1] += start[unknown];
        }
        let (mut next, mut others) = (start.clone(), vec![0; start[matrix.size()]]);
        for (a, b) in pairs().flat_map(|(a, b)| [(a, b), (b, a)]) {
            others[next[a]] = b as u32;
            next[a] += 1;
        }
        Self { start, others }
    }

    /// Number of unknowns.
    pub(crate) fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// The neighbours of one unknown.
    pub(crate) fn of(&self, unknown: u32) -> &[u32] {
        &self.others[self.start[unknown as usize]..self.start[unknown as usize + 1]]
    }
}
