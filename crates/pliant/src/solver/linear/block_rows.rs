//! The system as rows of 3×3 blocks.

use glam::DVec3;
use pliant_kernels::wide_rows::WideRows;
use pliant_sparse::BlockMatrix;
use rayon::prelude::*;

use crate::body::{Masses, Model, Unknowns};
use crate::force::{CellBlocks, pair_index};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::math::{LANES, Mat3, Rows};

use super::assembly::{Assembly, fold_ties};
use super::conjugate_gradient::Operator;
use super::nodes::{Scales, SystemParts};

/// Rows that one task multiplies.
const ROWS_PER_TASK: usize = 256;

/// Blocks that one task sums.
const BLOCKS_PER_TASK: usize = 2048;

/// CᵀAC as a matrix, assembled and multiplied row by row.
///
/// Cells write their blocks into separate slots; then every block of the matrix sums those of its cells, independently
/// of the others (Parker & O'Brien 2009, section 4). The structure has room for all nodes without a pin; while nodes
/// are tied, products skip inactive unknowns.
#[derive(Debug, Clone)]
pub struct BlockRows {
    matrix: BlockMatrix,
    cells: CellBlocks,
    /// The cell blocks that each block sums.
    gather: Rows<Slot>,
    /// Mass at every block, in kg.
    masses: Vec<f64>,
    /// True if both unknowns of a block are active.
    live: Vec<bool>,
    /// Entries of row `u` are `row_start[u]..row_start[u + 1]`; empty for an inactive unknown.
    row_start: Vec<u32>,
    /// Unknown of every entry, and its block: that of the lower triangle, or its transpose if the unknown ≥ the row.
    unknowns: Vec<u32>,
    blocks: Vec<u32>,
    wide: WideRows,
    /// True if `wide` holds the present matrix.
    is_spread: bool,
    /// Position of the next entry of each row, while rows are listed.
    next: Vec<u32>,
    /// Version of the unknowns for which the rows are listed.
    version: Option<u64>,
}

/// An index into the blocks of cells; the highest bit marks a transposed block.
#[derive(Debug, Clone, Copy, Default)]
struct Slot(u32);

const TRANSPOSED: u32 = 1 << 31;

impl Slot {
    fn read(self, blocks: &[Mat3]) -> Mat3 {
        let block = &blocks[(self.0 & !TRANSPOSED) as usize];
        if self.0 & TRANSPOSED == 0 { *block } else { block.transpose() }
    }
}

impl BlockRows {
    /// The structure of the systems of a model with these unknowns.
    pub fn new(model: &Model, unknowns: &Unknowns) -> Self {
        let matrix = BlockMatrix::structure(model, unknowns);
        let cells = CellBlocks::new(model);
        assert!(cells.blocks.len() < TRANSPOSED as usize, "so many blocks fit no memory");
        let gather = gather_lists(model, unknowns, &matrix, &cells);
        let (n, size) = (matrix.size(), matrix.blocks.len());
        Self {
            cells,
            gather,
            masses: vec![0.0; size],
            live: vec![true; size],
            row_start: vec![0; n + 1],
            unknowns: Vec::with_capacity(2 * size - n),
            blocks: Vec::with_capacity(2 * size - n),
            wide: WideRows::new(2 * size - n),
            is_spread: false,
            next: vec![0; n],
            version: None,
            matrix,
        }
    }

    /// Assembles the system.
    pub fn assemble(&mut self, parts: &mut SystemParts<'_>, scales: &Scales) {
        if self.version != Some(parts.unknowns.version()) {
            self.matrix.clear();
            self.list_rows(parts.unknowns);
            self.gather_masses(parts.masses, parts.unknowns);
            self.version = Some(parts.unknowns.version());
        }
        if scales.stiffness != 0.0 {
            parts.elasticity.blocks(parts.rest, &mut self.cells);
            fold_ties(&parts.rest, parts.unknowns, &mut self.cells);
        }
        self.gather(scales);
        self.add_points(parts, scales.points);
        self.matrix.close_inactive(parts.unknowns);
        self.is_spread = false;
    }

    /// Discards the list of rows.
    pub(super) fn forget(&mut self) {
        self.version = None;
    }

    /// Writes the blocks.
    pub(super) fn save(&self, to: &mut Writer) {
        to.matrices(&self.matrix.blocks);
    }

    /// Swaps the blocks with those of another assembly.
    pub(super) fn swap_blocks(&mut self, blocks: &mut Vec<Mat3>) {
        std::mem::swap(&mut self.matrix.blocks, blocks);
        self.is_spread = false;
    }

    /// Reads blocks that were assembled for these unknowns; true if they differ from the present ones.
    pub(super) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<bool, SnapshotError> {
        self.forget();
        self.list_rows(unknowns);
        self.is_spread = false;
        from.matrices(&mut self.matrix.blocks)
    }

    /// The lower triangle, with scaled rows of the unit matrix for inactive unknowns.
    pub fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// Number of non-zero blocks of both triangles.
    pub fn block_count(&self) -> usize {
        self.unknowns.len()
    }

    /// The block of an unknown with itself.
    pub fn diagonal(&self, unknown: usize) -> &Mat3 {
        &self.matrix.blocks[self.matrix.column_start[unknown]]
    }

    /// Lists the active blocks of every row, in the order of their columns.
    fn list_rows(&mut self, unknowns: &Unknowns) {
        self.row_start.fill(0);
        for column in 0..self.matrix.size() {
            for k in self.matrix.column_start[column]..self.matrix.column_start[column + 1] {
                let row = self.matrix.rows[k] as usize;
                self.live[k] = unknowns.is_active(row) && unknowns.is_active(column);
                if self.live[k] {
                    self.row_start[row + 1] += 1;
                    self.row_start[column + 1] += u32::from(row != column);
                }
            }
        }
        for row in 0..self.matrix.size() {
            self.row_start[row + 1] += self.row_start[row];
        }
        let count = self.row_start[self.matrix.size()] as usize;
        self.unknowns.resize(count, 0);
        self.blocks.resize(count, 0);
        self.next.copy_from_slice(&self.row_start[..self.matrix.size()]);
        for column in 0..self.matrix.size() {
            for k in self.matrix.column_start[column]..self.matrix.column_start[column + 1] {
                if self.live[k] {
                    let row = self.matrix.rows[k] as usize;
                    self.push_entry(row, column, k);
                    if row != column {
                        self.push_entry(column, row, k);
                    }
                }
            }
        }
    }

    fn push_entry(&mut self, row: usize, unknown: usize, block: usize) {
        let place = self.next[row] as usize;
        (self.unknowns[place], self.blocks[place]) = (unknown as u32, block as u32);
        self.next[row] += 1;
    }

    fn gather_masses(&mut self, masses: Masses<'_>, unknowns: &Unknowns) {
        self.masses.fill(0.0);
        let mut add = |a: u32, b: u32, mass: f64| {
            for_each_lower_pair(unknowns, a, b, |row, column, weight| {
                self.masses[self.matrix.place(row, column)] += weight * mass;
            });
        };
        match masses {
            Masses::Lumped(masses) => {
                (0u32..).zip(masses).for_each(|(node, mass)| add(node, node, *mass));
            }
            Masses::Consistent(matrix) => {
                for (row, column, mass) in matrix.entries() {
                    add(row, column, mass);
                    if row != column {
                        add(column, row, mass);
                    }
                }
            }
        }
    }

    /// Sums the blocks of cells and adds the mass.
    fn gather(&mut self, scales: &Scales) {
        let Self { matrix, cells, gather, masses, live, .. } = self;
        let sum = |k: usize| {
            let mass = scales.mass * masses[k];
            if scales.stiffness == 0.0 {
                return Mat3::IDENTITY * mass;
            }
            let slots = gather.row(k).iter();
            let stiffness = slots.fold(Mat3::ZERO, |sum, slot| sum + slot.read(&cells.blocks));
            (stiffness * scales.stiffness).add_diagonal(mass)
        };
        let task = |(task, blocks): (usize, &mut [Mat3])| {
            let first = task * BLOCKS_PER_TASK;
            // Blocks of inactive unknowns keep the values that were set when the rows were listed.
            for (k, block) in blocks.iter_mut().enumerate().filter(|(k, _)| live[first + *k]) {
                *block = sum(first + k);
            }
        };
        // Within the pool a fork is cheap.
        let few = if rayon::current_thread_index().is_some() { 1 } else { 8 };
        if matrix.blocks.len() <= few * BLOCKS_PER_TASK {
            matrix.blocks.chunks_mut(BLOCKS_PER_TASK).enumerate().for_each(task);
        } else {
            matrix.blocks.par_chunks_mut(BLOCKS_PER_TASK).enumerate().for_each(task);
        }
    }

    /// Adds the point forces, which connect only nodes of one cell.
    fn add_points(&mut self, parts: &SystemParts<'_>, scales: [f64; 2]) {
        for (point, weights) in parts.points.iter() {
            let block = point.matrix(scales);
            for (a, weight_a) in weights {
                for (b, weight_b) in weights {
                    for_each_lower_pair(parts.unknowns, *a, *b, |row, column, weight| {
                        self.matrix.add(row, column, block * (weight * weight_a * weight_b));
                    });
                }
            }
        }
    }

    /// Copies the blocks into the layout of the product, if they have changed.
    fn spread(&mut self) {
        if std::mem::replace(&mut self.is_spread, true) {
            return;
        }
        let Self { matrix, row_start, unknowns, blocks, wide, .. } = self;
        let rows = (0..matrix.size()).flat_map(|row| {
            let range = row_start[row] as usize..row_start[row + 1] as usize;
            range.map(move |k| (row, k))
        });
        wide.fill(rows.map(|(row, k)| {
            let block = &matrix.blocks[blocks[k] as usize];
            if (unknowns[k] as usize) < row { *block } else { block.transpose() }
        }));
    }

    /// Writes the rows from `first` on of the product with `p`; rows of inactive unknowns are those of the unit matrix.
    fn multiply(&self, first: usize, p: &[DVec3], product: &mut [DVec3]) {
        let last = first + product.len();
        product.copy_from_slice(&p[first..last]);
        let (begin, ends) = (self.row_start[first] as usize, &self.row_start[first + 1..=last]);
        self.wide.multiply(begin, ends, &self.unknowns, p, product);
    }
}

impl Operator for BlockRows {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        self.spread();
        let task = |(task, rows): (usize, &mut [DVec3])| {
            self.multiply(task * ROWS_PER_TASK, p, rows);
        };
        if product.len() <= 8 * ROWS_PER_TASK {
            product.chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        } else {
            product.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        }
    }
}

/// Calls `visit(row, column, weight)` for the entries of the pair (a, b) of nodes in the lower triangle of the
/// unknowns.
fn for_each_lower_pair(unknowns: &Unknowns, a: u32, b: u32, mut visit: impl FnMut(u32, u32, f64)) {
    for (row, weight_a) in unknowns.row(a) {
        for (column, weight_b) in unknowns.row(b).iter().filter(|(column, _)| column <= row) {
            visit(*row, *column, weight_a * weight_b);
        }
    }
}

/// For every block of the matrix, the slots of its cell blocks, in order.
fn gather_lists(
    model: &Model,
    unknowns: &Unknowns,
    matrix: &BlockMatrix,
    cells: &CellBlocks,
) -> Rows<Slot> {
    Rows::from_visits(matrix.blocks.len(), |visit| {
        for_each_slot(model, unknowns, cells, |row, column, slot| {
            visit(matrix.place(row, column), slot);
        });
    })
}

/// Calls `visit(row, column, slot)` for every block of every cell, row ≥ column.
fn for_each_slot(
    model: &Model,
    unknowns: &Unknowns,
    cells: &CellBlocks,
    mut visit: impl FnMut(u32, u32, Slot),
) {
    for (index, batch) in model.batches().iter().enumerate() {
        for cell in 0..batch.cells.len() {
            let (nodes, lane) = (batch.pack_nodes(cell / LANES), cell % LANES);
            let own = |a: usize| unknowns.own(nodes[a][lane]);
            let first = cells.cell_start(index, batch, cell);
            for b in 0..nodes.len() {
                for a in 0..=b {
                    let (Some(row), Some(column)) = (own(a), own(b)) else { continue };
                    let slot = (first + pair_index(a, b)) as u32;
                    if row >= column {
                        visit(row, column, Slot(slot));
                    } else {
                        visit(column, row, Slot(slot | TRANSPOSED));
                    }
                }
            }
        }
    }
}
