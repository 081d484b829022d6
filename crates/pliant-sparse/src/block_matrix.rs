//! Symmetric sparse matrices of 3×3 blocks.

use glam::DVec3;
use pliant_kernels::math::{Mat3, Vec3};

/// The lower triangle of a symmetric matrix, with a 3×3 block for every pair of unknowns that some cell connects.
///
/// The structure is built once; values are cleared and summed again.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix {
    /// Blocks of column `c` are `column_start[c]..column_start[c + 1]`.
    pub column_start: Vec<usize>,
    /// Row of every block, ascending in each column; the first block of a column is the diagonal.
    pub rows: Vec<u32>,
    /// The blocks.
    pub blocks: Vec<Mat3>,
}

/// A function that calls its argument with every group of unknowns.
type ForEachGroup<'a> = dyn Fn(&mut dyn FnMut(&[u32])) + 'a;

impl BlockMatrix {
    /// Builds the structure of a matrix of `count` unknowns, in which all unknowns of a group are connected. `groups`
    /// calls its argument with each group.
    pub fn connecting(count: usize, groups: &ForEachGroup<'_>) -> Self {
        let mut pairs: Vec<(u32, u32)> = (0..count as u32).map(|i| (i, i)).collect();
        groups(&mut |group| {
            for column in group {
                let below = group.iter().filter(|row| *row > column);
                pairs.extend(below.map(|row| (*column, *row)));
            }
            // Neighbouring groups repeat pairs: remove duplicates early, so that the list stays near its final size.
            if pairs.len() > 4_000_000 && pairs.len() == pairs.capacity() {
                sort_dedup(&mut pairs);
            }
        });
        sort_dedup(&mut pairs);
        Self::from_sorted(count, pairs)
    }

    /// Creates a matrix of zeros with blocks at these pairs (column, row), row ≥ column, sorted and without repetition.
    pub fn from_sorted(count: usize, pairs: Vec<(u32, u32)>) -> Self {
        let mut column_start = vec![0; count + 1];
        pairs.iter().for_each(|(column, _)| column_start[*column as usize + 1] += 1);
        for column in 0..count {
            column_start[column + 1] += column_start[column];
        }
        let rows: Vec<u32> = pairs.into_iter().map(|(_, row)| row).collect();
        Self { column_start, blocks: vec![Mat3::ZERO; rows.len()], rows }
    }

    /// Returns the number of unknowns (of three numbers each).
    pub fn size(&self) -> usize {
        self.column_start.len() - 1
    }

    /// Sets every block to zero.
    pub fn clear(&mut self) {
        self.blocks.fill(Mat3::ZERO);
    }

    /// Adds a block at (row, column), row ≥ column, which must be in the structure.
    pub fn add(&mut self, row: u32, column: u32, block: Mat3) {
        let place = self.place(row, column);
        self.blocks[place] += block;
    }

    /// Returns the index of the block at (row, column), row ≥ column, which must be in the structure.
    pub fn place(&self, row: u32, column: u32) -> usize {
        self.find(row, column).expect("connected by a cell")
    }

    /// Returns the index of the block at (row, column), row ≥ column; `None` if it is not in the structure.
    pub fn find(&self, row: u32, column: u32) -> Option<usize> {
        let (start, end) = self.column_range(column);
        self.rows[start..end].binary_search(&row).ok().map(|place| start + place)
    }

    /// Sets the diagonal blocks of these unknowns, whose rows are zero, to the identity times the mean diagonal.
    pub fn set_identity_rows(&mut self, unknowns: impl Iterator<Item = usize>) {
        let scale = self.mean_diagonal();
        for unknown in unknowns {
            self.blocks[self.column_start[unknown]] = Mat3::IDENTITY * scale;
        }
    }

    /// Adds `shift` to the diagonal.
    pub fn shift_diagonal(&mut self, shift: f64) {
        for column in 0..self.size() {
            let diagonal = &mut self.blocks[self.column_start[column]];
            *diagonal = diagonal.add_diagonal(shift);
        }
    }

    /// Returns the mean of the diagonal entries: the scale of the matrix.
    pub fn mean_diagonal(&self) -> f64 {
        let diagonal = |column: usize| self.blocks[self.column_start[column]].trace();
        (0..self.size()).map(diagonal).sum::<f64>() / (3 * self.size()).max(1) as f64
    }

    /// Returns A y.
    pub fn apply(&self, y: &[DVec3]) -> Vec<DVec3> {
        let mut product = vec![DVec3::ZERO; y.len()];
        for column in 0..self.size() {
            let (start, end) = self.column_range(column as u32);
            for (row, block) in self.rows[start..end].iter().zip(&self.blocks[start..end]) {
                let row = *row as usize;
                product[row] += DVec3::from(block.mul_vec(y[column].into()));
                if row != column {
                    let mirrored: Vec3 = block.transpose_mul_vec(y[row].into());
                    product[column] += DVec3::from(mirrored);
                }
            }
        }
        product
    }

    fn column_range(&self, column: u32) -> (usize, usize) {
        (self.column_start[column as usize], self.column_start[column as usize + 1])
    }
}

fn sort_dedup(pairs: &mut Vec<(u32, u32)>) {
    pairs.sort_unstable();
    pairs.dedup();
}
