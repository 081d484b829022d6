//! Block rows in single precision, for smoothing in a preconditioner.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4};

use crate::lanes::{RowKernel, Width};
use crate::math::fused;

/// A vector in single precision, with a fourth number that is zero.
pub type Single = [f32; 4];

/// A symmetric matrix with a unit diagonal, row by row in single precision:
///
/// ```text
/// A = I + N
/// ```
///
/// The blocks of N take 36 bytes each, a third of those of [`WideRows`](crate::wide_rows::WideRows): products of large matrices wait for
/// memory.
#[derive(Debug, Clone)]
pub struct SingleRows {
    width: Width,
    /// Blocks of row `k` are `start[k]..start[k + 1]`.
    start: Vec<u32>,
    columns: Vec<u32>,
    /// The blocks of N, by columns.
    blocks: Vec<[f32; 9]>,
}

impl SingleRows {
    /// Creates a matrix with zeros: blocks of row `k` are `start[k]..start[k + 1]`, in these columns.
    ///
    /// # Panics
    /// If `start` does not end with the number of columns.
    pub fn new(start: Vec<u32>, columns: Vec<u32>) -> Self {
        assert_eq!(start.last().map(|end| *end as usize), Some(columns.len()), "the last end");
        let blocks = vec![[0.0; 9]; columns.len()];
        Self { width: Width::default(), start, columns, blocks }
    }

    /// Returns the same matrix with another instruction set, for tests: the bits stay the same.
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the row and the column of every block of N, and its numbers by columns, to be written; row after row.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (usize, usize, &mut [f32; 9])> {
        let rows = self.start.windows(2).enumerate();
        let row_of_entry = rows.flat_map(|(row, range)| (range[0]..range[1]).map(move |_| row));
        let entries = self.columns.iter().zip(&mut self.blocks);
        row_of_entry.zip(entries).map(|(row, (column, block))| (row, *column as usize, block))
    }

    /// Writes b − A z for some rows from `first` on; `b` are those of these rows, and `z` is the whole vector.
    pub fn residual(&self, first: usize, z: &[Single], b: &[Single], residual: &mut [Single]) {
        let rows = self.rows(first, residual.len(), z);
        self.width.run_rows(&mut Residual { rows, b, residual });
    }

    /// Takes one step of a Chebyshev iteration for A z = b, in some rows from `first` on:
    ///
    /// ```text
    /// z⁺ = z + keep (z − z⁻) + take (b − A z)
    /// ```
    ///
    /// z⁺ replaces z⁻ in `before`.
    pub fn step(
        &self,
        first: usize,
        [keep, take]: [f32; 2],
        z: &[Single],
        b: &[Single],
        before: &mut [Single],
    ) {
        let rows = self.rows(first, before.len(), z);
        self.width.run_rows(&mut ChebyshevStep { rows, keep, take, b, before });
    }

    fn rows<'a>(&'a self, first: usize, count: usize, z: &'a [Single]) -> RowsOf<'a> {
        let Self { start, columns, blocks, .. } = self;
        RowsOf { first, start: &start[first..=first + count], columns, blocks, z }
    }
}

/// Some rows, and the vector that they are multiplied with.
#[derive(Clone, Copy)]
struct RowsOf<'a> {
    first: usize,
    start: &'a [u32],
    columns: &'a [u32],
    blocks: &'a [[f32; 9]],
    z: &'a [Single],
}

impl RowsOf<'_> {
    /// z of a row.
    #[inline(always)]
    fn own<S: Simd>(&self, simd: S, row: usize) -> f32x4<S> {
        f32x4::simd_from(simd, self.z[self.first + row])
    }

    /// N z of a row; the fourth number has no meaning.
    #[inline(always)]
    fn product<S: Simd>(&self, simd: S, row: usize) -> f32x4<S> {
        let range = self.start[row] as usize..self.start[row + 1] as usize;
        let (blocks, columns) = (&self.blocks[range.clone()], &self.columns[range]);
        // One sum per column, so that the additions do not wait for each other.
        let mut sums = [f32x4::splat(simd, 0.0); 3];
        for (block, column) in blocks.iter().zip(columns) {
            let [a0, a1, a2, b0, b1, b2, c0, c1, c2] = *block;
            let [x, y, z, _] = self.z[*column as usize];
            // Four numbers are loaded at once: the fourth is that of the next column, or for the last one the first that of the column before.
            let [a, b, c] = [[a0, a1, a2, b0], [b0, b1, b2, c0], [b2, c0, c1, c2]];
            sums[0] = fused(f32x4::simd_from(simd, a), f32x4::splat(simd, x), sums[0]);
            sums[1] = fused(f32x4::simd_from(simd, b), f32x4::splat(simd, y), sums[1]);
            sums[2] = fused(f32x4::simd_from(simd, c), f32x4::splat(simd, z), sums[2]);
        }
        let [_, x, y, z]: Single = sums[2].into();
        sums[0] + sums[1] + f32x4::simd_from(simd, [x, y, z, 0.0])
    }
}

struct Residual<'a> {
    rows: RowsOf<'a>,
    b: &'a [Single],
    residual: &'a mut [Single],
}

impl RowKernel for Residual<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        for (row, (residual, b)) in self.residual.iter_mut().zip(self.b).enumerate() {
            let product = self.rows.own(simd, row) + self.rows.product(simd, row);
            *residual = three(f32x4::simd_from(simd, *b) - product);
        }
    }
}

struct ChebyshevStep<'a> {
    rows: RowsOf<'a>,
    keep: f32,
    take: f32,
    b: &'a [Single],
    before: &'a mut [Single],
}

impl RowKernel for ChebyshevStep<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let (keep, take) = (f32x4::splat(simd, self.keep), f32x4::splat(simd, self.take));
        for (row, (before, b)) in self.before.iter_mut().zip(self.b).enumerate() {
            let z = self.rows.own(simd, row);
            let residual = f32x4::simd_from(simd, *b) - (z + self.rows.product(simd, row));
            let kept = fused(z - f32x4::simd_from(simd, *before), keep, z);
            *before = three(fused(residual, take, kept));
        }
    }
}

/// The first three numbers, and zero.
#[inline(always)]
fn three<S: Simd>(four: f32x4<S>) -> Single {
    let [x, y, z, _]: Single = four.into();
    [x, y, z, 0.0]
}
