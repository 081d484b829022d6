//! Symmetric sparse matrices of 3×3 blocks.

use glam::DVec3;

use crate::body::{Model, Unknowns};
use crate::force::CellStiffness;
use crate::math::{Mat3, Vec3};

/// The lower triangle of a symmetric matrix with a 3×3 block for every pair of unknowns that some
/// cell connects. The structure is built once; values are cleared and summed anew.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockMatrix {
    /// Blocks of column `c` are `column_start[c]..column_start[c + 1]`.
    pub column_start: Vec<usize>,
    /// Row of every block, rising in a column; the first is the diagonal.
    pub rows: Vec<u32>,
    /// The blocks.
    pub blocks: Vec<Mat3>,
}

impl BlockMatrix {
    /// The structure of Cᵀ K C for a model's stiffness K, whatever nodes are tied.
    pub fn structure(model: &Model, unknowns: &Unknowns) -> Self {
        let mut pairs: Vec<(u32, u32)> = (0..unknowns.count() as u32).map(|i| (i, i)).collect();
        for (_, nodes) in model.mesh().cells() {
            let own = || nodes.iter().filter_map(|node| unknowns.own(*node));
            for column in own() {
                pairs.extend(own().filter(|row| *row > column).map(|row| (column, row)));
            }
            // Neighbouring cells repeat pairs: keep the list from growing far beyond what it ends as.
            if pairs.len() > 4_000_000 && pairs.len() == pairs.capacity() {
                sort_dedup(&mut pairs);
            }
        }
        sort_dedup(&mut pairs);
        let mut column_start = vec![0; unknowns.count() + 1];
        pairs.iter().for_each(|(column, _)| column_start[*column as usize + 1] += 1);
        for column in 0..unknowns.count() {
            column_start[column + 1] += column_start[column];
        }
        let rows: Vec<u32> = pairs.into_iter().map(|(_, row)| row).collect();
        Self { column_start, blocks: vec![Mat3::ZERO; rows.len()], rows }
    }

    /// Number of unknowns (of three numbers each).
    pub fn size(&self) -> usize {
        self.column_start.len() - 1
    }

    /// Sets every block to zero.
    pub fn clear(&mut self) {
        self.blocks.fill(Mat3::ZERO);
    }

    /// Adds Cᵀ K C of one cell.
    pub fn add_cell(&mut self, cell: &CellStiffness, unknowns: &Unknowns) {
        let n = cell.nodes.len();
        for (a, node_a) in cell.nodes.iter().enumerate() {
            for (row, weight_a) in unknowns.row(*node_a) {
                for (b, node_b) in cell.nodes.iter().enumerate() {
                    for (column, weight_b) in unknowns.row(*node_b) {
                        if row >= column {
                            let block = cell.blocks[a * n + b] * (weight_a * weight_b);
                            self.add(*row, *column, block);
                        }
                    }
                }
            }
        }
    }

    /// Adds a block at (row, column), row ≥ column, which must be in the structure.
    pub fn add(&mut self, row: u32, column: u32, block: Mat3) {
        let place = self.place(row, column);
        self.blocks[place] += block;
    }

    /// Where the block at (row, column), row ≥ column, is stored.
    pub fn place(&self, row: u32, column: u32) -> usize {
        self.find(row, column).expect("connected by a cell")
    }

    /// The same, if it is in the structure.
    pub fn find(&self, row: u32, column: u32) -> Option<usize> {
        let (start, end) = self.column_range(column);
        self.rows[start..end].binary_search(&row).ok().map(|place| start + place)
    }

    /// Makes the rows of inactive unknowns, which are zero, those of the unit matrix times the scale
    /// of the others.
    pub fn close_inactive(&mut self, unknowns: &Unknowns) {
        if !unknowns.has_ties() {
            return;
        }
        let scale = self.mean_diagonal();
        for unknown in (0..self.size()).filter(|unknown| !unknowns.is_active(*unknown)) {
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

    /// The mean of the diagonal entries: the scale of the matrix.
    pub fn mean_diagonal(&self) -> f64 {
        let diagonal = |column: usize| self.blocks[self.column_start[column]].trace();
        (0..self.size()).map(diagonal).sum::<f64>() / (3 * self.size()).max(1) as f64
    }

    /// A y.
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
