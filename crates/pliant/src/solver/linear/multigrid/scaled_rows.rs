//! A matrix scaled to unit diagonal blocks, in single precision.

use glam::DVec3;
use pliant_kernels::math::{Mat3, Rows};
use pliant_kernels::single_rows::{Single, SingleRows};
use pliant_sparse::BlockMatrix;

use crate::solver::linear::vectors::for_chunks;

use super::block_triangle::BlockTriangle;

/// Marks a block that is transposed.
const TRANSPOSED: u32 = 1 << 31;

/// Â = L⁻¹ A L⁻ᵀ/a with the Cholesky factors L of the diagonal blocks of A/a, where a is the mean diagonal of A.
///
/// The numbers of Â are between −1 and 1 for any positive definite A, so that single precision holds them whatever the
/// units and moduli are. Its rows have an order of their own.
#[derive(Debug, Clone)]
pub(super) struct ScaledRows {
    rows: SingleRows,
    /// The block of A from which each block is made; the highest bit marks a transposed one.
    sources: Vec<u32>,
    triangles: Vec<BlockTriangle>,
    /// Unknown of every row, and row of every unknown.
    order: Vec<u32>,
    place: Vec<u32>,
    /// 1/a.
    scale: f64,
}

impl ScaledRows {
    /// The structure of `matrix` with its rows in this order.
    pub(super) fn new(matrix: &BlockMatrix, order: Vec<u32>) -> Self {
        assert!(matrix.blocks.len() < TRANSPOSED as usize, "so many blocks fit no memory");
        let mut place = vec![0; order.len()];
        (0u32..).zip(&order).for_each(|(row, unknown)| place[*unknown as usize] = row);
        let entries = Rows::from_visits(order.len(), |visit| {
            for_each_below(matrix, |row, column, block| {
                let (a, b) = (place[row], place[column]);
                visit(a as usize, (b, block));
                visit(b as usize, (a, block | TRANSPOSED));
            });
        });
        let (start, entries) = entries.into_parts();
        let (columns, sources) = entries.into_iter().unzip();
        let rows = SingleRows::new(start, columns);
        let triangles = vec![BlockTriangle::UNIT; order.len()];
        Self { rows, sources, triangles, order, place, scale: 1.0 }
    }

    /// Computes Â and L.
    pub(super) fn fill(&mut self, matrix: &BlockMatrix) {
        let scale = matrix.mean_diagonal().recip();
        self.scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        let Self { rows, sources, triangles, order, scale, .. } = self;
        for (triangle, unknown) in triangles.iter_mut().zip(order.iter()) {
            let diagonal = &matrix.blocks[matrix.column_start[*unknown as usize]];
            *triangle = BlockTriangle::of(&(*diagonal * *scale));
        }
        for ((row, column, block), source) in rows.entries_mut().zip(sources) {
            let own = matrix.blocks[(*source & !TRANSPOSED) as usize] * *scale;
            // Scaled before it is transposed, so that both halves have the same bits.
            *block = single_block(&if *source & TRANSPOSED == 0 {
                triangles[row].scale(&own, &triangles[column])
            } else {
                triangles[column].scale(&own, &triangles[row]).transpose()
            });
        }
    }

    /// Â.
    pub(super) fn rows(&self) -> &SingleRows {
        &self.rows
    }

    /// Unknown of every row.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Row of every unknown.
    pub(super) fn place(&self) -> &[u32] {
        &self.place
    }

    /// `factor` · L⁻¹ r of a row.
    #[inline]
    pub(super) fn load(&self, row: usize, r: &[DVec3], factor: f64) -> Single {
        to_single(self.triangles[row].solve(factor * r[self.order[row] as usize]))
    }

    /// L r of a row.
    #[inline]
    pub(super) fn residual(&self, row: usize, r: &Single) -> DVec3 {
        self.triangles[row].times(to_double(r))
    }

    /// Lᵀ a u of a row: what is added to ẑ for a motion u of its unknown.
    #[inline]
    pub(super) fn motion(&self, row: usize, u: DVec3) -> Single {
        to_single(self.triangles[row].transposed_times(u / self.scale))
    }

    /// Writes z = `factor` · L⁻ᵀ ẑ/a of all unknowns.
    pub(super) fn store(&self, own: &[Single], factor: f64, z: &mut [DVec3]) {
        for_chunks(z, |first, z| {
            for (z, row) in z.iter_mut().zip(&self.place[first..]) {
                let row = *row as usize;
                *z = self.triangles[row].transposed_solve(to_double(&own[row]));
                *z *= factor * self.scale;
            }
        });
    }
}

/// Calls `visit(row, column, block)` for all blocks below the diagonal.
fn for_each_below(matrix: &BlockMatrix, mut visit: impl FnMut(usize, usize, u32)) {
    for column in 0..matrix.size() {
        for block in matrix.column_start[column] + 1..matrix.column_start[column + 1] {
            visit(matrix.rows[block] as usize, column, block as u32);
        }
    }
}

/// Numbers below this size become zero: they are too small to matter next to 1, and arithmetic with the smallest numbers of
/// single precision is slow.
const SMALLEST: f64 = 1e-30;

fn round(number: f64) -> f32 {
    if number.abs() < SMALLEST { 0.0 } else { number as f32 }
}

fn to_single(v: DVec3) -> Single {
    [round(v.x), round(v.y), round(v.z), 0.0]
}

fn to_double([x, y, z, _]: &Single) -> DVec3 {
    DVec3::new(f64::from(*x), f64::from(*y), f64::from(*z))
}

/// The numbers of a block, by columns.
fn single_block(block: &Mat3) -> [f32; 9] {
    let [a, b, c] = block.0.map(|column| column.0.map(round));
    let [[a0, a1, a2], [b0, b1, b2], [c0, c1, c2]] = [a, b, c];
    [a0, a1, a2, b0, b1, b2, c0, c1, c2]
}
