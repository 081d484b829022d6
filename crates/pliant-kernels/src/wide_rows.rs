//! Block rows in a layout for fast products.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};
use glam::DVec3;

use crate::lanes::{RowKernel, Width};
use crate::math::{Mat3, Rows, fused};

/// A block as three columns of four numbers, the last of which is zero: a product is three broadcasts, three
/// fused multiplications and additions, without shuffles.
type WideRow = [[f64; 4]; 3];

/// Both triangles of a symmetric matrix, row by row.
///
/// This takes 2.7 times the memory of one triangle. But reading the transposed half in place takes more than twice
/// the time, as long as bodies fit in the second-level cache.
#[derive(Debug, Clone)]
pub struct WideRows {
    width: Width,
    /// Largest number of blocks.
    most: usize,
    blocks: Vec<WideRow>,
}

impl WideRows {
    /// Creates an empty matrix for at most `most` blocks; memory is allocated by the first fill.
    pub fn new(most: usize) -> Self {
        Self { width: Width::default(), most, blocks: Vec::new() }
    }

    /// Replaces all blocks, in the order of the rows.
    pub fn fill(&mut self, blocks: impl Iterator<Item = Mat3>) {
        self.blocks.clear();
        self.blocks.reserve(self.most);
        self.blocks.extend(blocks.map(|block| {
            block.0.map(|column| {
                let [x, y, z] = column.0;
                [x, y, z, 0.0]
            })
        }));
    }

    /// Writes the product of some rows with the vector `p`.
    ///
    /// `ends` holds the end of the blocks of each row; the blocks of the first row start at `begin`. `unknowns` holds
    /// the column of every block of all rows. Rows without blocks keep their value.
    pub fn multiply(
        &self,
        begin: usize,
        ends: &[u32],
        unknowns: &[u32],
        p: &[DVec3],
        product: &mut [DVec3],
    ) {
        let blocks = &self.blocks[..];
        self.width.run_rows(&mut Multiply { blocks, begin, ends, unknowns, p, product });
    }
}

struct Multiply<'a> {
    blocks: &'a [WideRow],
    begin: usize,
    ends: &'a [u32],
    unknowns: &'a [u32],
    p: &'a [DVec3],
    product: &'a mut [DVec3],
}

impl RowKernel for Multiply<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let mut from = self.begin;
        for (row, q) in self.product.iter_mut().enumerate() {
            let to = self.ends[row] as usize;
            let (blocks, unknowns) = (&self.blocks[from..to], &self.unknowns[from..to]);
            from = to;
            if blocks.is_empty() {
                continue;
            }
            // One sum per column, so that the additions do not wait for each other.
            let mut sums = [f64x4::splat(simd, 0.0); 3];
            for k in 0..blocks.len() {
                let [a, b, c] = blocks[k];
                let DVec3 { x, y, z } = self.p[unknowns[k] as usize];
                sums[0] = fused(f64x4::simd_from(simd, a), f64x4::splat(simd, x), sums[0]);
                sums[1] = fused(f64x4::simd_from(simd, b), f64x4::splat(simd, y), sums[1]);
                sums[2] = fused(f64x4::simd_from(simd, c), f64x4::splat(simd, z), sums[2]);
            }
            let [x, y, z, _]: [f64; 4] = (sums[0] + sums[1] + sums[2]).into();
            *q = DVec3::new(x, y, z);
        }
    }
}

/// Writes `sums[k]`, the product of row `row_of(k)` of a matrix with the vectors `p`, whose fourth numbers are ignored. The matrix has
/// one number for each entry of a row, the same for x, y and z: its column and its value.
pub fn multiply_scalar_rows(
    rows: &Rows<(u32, f64)>,
    row_of: impl Fn(usize) -> usize,
    p: &[[f64; 4]],
    sums: &mut [DVec3],
) {
    Width::default().run_rows(&mut MultiplyScalars { rows, row_of, p, sums });
}

struct MultiplyScalars<'a, F> {
    rows: &'a Rows<(u32, f64)>,
    row_of: F,
    p: &'a [[f64; 4]],
    sums: &'a mut [DVec3],
}

impl<F: Fn(usize) -> usize> RowKernel for MultiplyScalars<'_, F> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        for k in 0..self.sums.len() {
            let row = self.rows.row((self.row_of)(k));
            // Four sums, so that the additions do not wait for each other.
            let mut sums = [f64x4::splat(simd, 0.0); 4];
            let whole = row.len() / 4 * 4;
            let mut first = 0;
            while first < whole {
                for (sum, (column, value)) in sums.iter_mut().zip(&row[first..first + 4]) {
                    let p = f64x4::simd_from(simd, self.p[*column as usize]);
                    *sum = fused(p, f64x4::splat(simd, *value), *sum);
                }
                first += 4;
            }
            for (sum, (column, value)) in sums.iter_mut().zip(&row[whole..]) {
                let p = f64x4::simd_from(simd, self.p[*column as usize]);
                *sum = fused(p, f64x4::splat(simd, *value), *sum);
            }
            let [x, y, z, _]: [f64; 4] = ((sums[0] + sums[1]) + (sums[2] + sums[3])).into();
            self.sums[k] = DVec3::new(x, y, z);
        }
    }
}
