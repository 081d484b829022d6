//! A factor in single precision, for preconditioners.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};
use glam::DVec3;
use pliant_kernels::lanes::{Kernel, RowKernel, Width};
use pliant_kernels::math::{LANES, Lanes, Pack, fused};

use crate::Cholesky;
use crate::panel::at;
use crate::supernodes::{Supernode, Supernodes};

/// Number of rows of a tile.
const ROWS: usize = 16;

/// Number of columns that are processed together, with their sums in registers.
const COLUMNS: usize = 4;

/// The numbers of one column in a tile.
type Tile = [f32; ROWS];

/// The factor L of a positive definite matrix in single precision: a solve reads half the memory, and costs a third, of that
/// with [`Cholesky`]. Its relative error is about 10⁻⁶ times the condition number, which is enough for a preconditioner.
///
/// With the triangle T of a supernode and its rows B below, the panel here is T⁻¹ above B T⁻¹. Both substitutions are then one
/// product with it, without a triangle to solve:
///
/// ```text
/// L z = x     (z, change of the rows below) = P x        Lᵀ z = x     z = Pᵀ (x, −rows below)
/// ```
#[derive(Clone)]
pub struct SingleFactor {
    structure: Arc<Supernodes>,
    width: Width,
    /// Tiles of the panel of every supernode: tile after tile, in a tile column after column.
    tiles: Vec<Tile>,
    /// First tile of every supernode, and their number at the end.
    start: Vec<usize>,
    /// The vector of a solve, in elimination order.
    x: Vec<f32>,
    /// One number per row of a panel.
    rows: Vec<Tile>,
    /// T⁻¹ of a panel while it is computed, as packs and then row by row, and a tile of its rows.
    triangle: Vec<Pack>,
    inverse: Vec<f32>,
    tile: Vec<Tile>,
}

impl fmt::Debug for SingleFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SingleFactor {{ unknowns: {} }}", self.structure.order.len())
    }
}

/// Number of tiles of a supernode.
fn tile_count(own: &Supernode) -> usize {
    (3 * own.rows.len()).div_ceil(ROWS)
}

impl SingleFactor {
    /// Allocates a factor with the structure of `cholesky`. Solves are possible after [`SingleFactor::update`].
    pub fn new(cholesky: &Cholesky) -> Self {
        let structure = Arc::clone(cholesky.structure());
        let mut start = vec![0];
        for own in &structure.all {
            start.push(start[start.len() - 1] + tile_count(own) * own.width());
        }
        let most = structure.all.iter().map(tile_count).max().unwrap_or(0);
        let widest = structure.all.iter().map(Supernode::width).max().unwrap_or(0);
        Self {
            width: Width::default(),
            tiles: vec![[0.0; ROWS]; start[start.len() - 1]],
            start,
            x: vec![0.0; 3 * structure.order.len()],
            rows: vec![[0.0; ROWS]; most],
            triangle: vec![Pack::default(); widest.div_ceil(LANES) * widest],
            inverse: vec![0.0; widest * widest],
            tile: vec![[0.0; ROWS]; widest],
            structure,
        }
    }

    /// Returns the same factor with another instruction set, for tests: the bits stay the same.
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Copies the values of a factor of the same structure. The matrix must be positive definite.
    pub fn update(&mut self, cholesky: &Cholesky) {
        self.update_run(cholesky, 0..cholesky.supernode_count());
    }

    /// Copies the values of a run of supernodes.
    pub fn update_run(&mut self, cholesky: &Cholesky, run: Range<usize>) {
        let structure = Arc::clone(&self.structure);
        for (k, own) in structure.all.iter().enumerate().take(run.end).skip(run.start) {
            let (width, source) = (own.width(), &cholesky.panels()[own.panel.clone()]);
            let diagonal = &cholesky.inverse_diagonal()[3 * own.columns.start..3 * own.columns.end];
            self.invert_triangle(source, diagonal);
            self.width.run_rows(&mut TimesInverse {
                source,
                width,
                inverse: &self.inverse[..width * width],
                tile: &mut self.tile[..width],
                out: &mut self.tiles[self.start[k]..self.start[k + 1]],
            });
        }
    }

    /// Writes T⁻¹ to `inverse`, row by row, for the panel `source` with these reciprocals of the diagonal of T.
    fn invert_triangle(&mut self, source: &[Pack], diagonal: &[f64]) {
        let width = diagonal.len();
        let triangle = &mut self.triangle[..width.div_ceil(LANES) * width];
        for (tile, columns) in triangle.chunks_mut(width).enumerate() {
            for (column, pack) in columns.iter_mut().enumerate() {
                *pack = std::array::from_fn(|lane| f64::from(tile * LANES + lane == column));
            }
        }
        self.width.run(&mut DivideByTriangle { panel: triangle, source, width, diagonal });
        for (row, numbers) in self.inverse[..width * width].chunks_mut(width).enumerate() {
            let packs = &triangle[row / LANES * width..];
            for (to, pack) in numbers.iter_mut().zip(packs) {
                *to = pack[row % LANES] as f32;
            }
        }
    }

    /// Replaces `b` by A⁻¹ b.
    pub fn solve(&mut self, b: &mut [DVec3]) {
        let order = &self.structure.order;
        for (slot, unknown) in self.x.as_chunks_mut::<3>().0.iter_mut().zip(order) {
            *slot = b[*unknown as usize].to_array().map(|number| number as f32);
        }
        self.width.run_rows(&mut SingleSubstitution {
            structure: &self.structure,
            tiles: &self.tiles,
            start: &self.start,
            x: &mut self.x,
            rows: &mut self.rows,
        });
        for (value, unknown) in self.x.as_chunks::<3>().0.iter().zip(order) {
            b[*unknown as usize] = DVec3::from_array(value.map(f64::from));
        }
    }
}

/// Replaces every row x of a panel by x T⁻¹, with the triangle T of `source`: from the last column to the first.
struct DivideByTriangle<'a> {
    panel: &'a mut [Pack],
    source: &'a [Pack],
    width: usize,
    /// Reciprocals of the diagonal of T.
    diagonal: &'a [f64],
}

impl Kernel for DivideByTriangle<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let Self { source, width, diagonal, .. } = *self;
        for (tile, columns) in self.panel.chunks_mut(width).enumerate() {
            // Columns beyond the last row of the tile are zero.
            let end = width.min((tile + 1) * LANES);
            for column in (0..end).rev() {
                let mut sums = [lanes.load(&columns[column]), lanes.splat(0.0)];
                for later in column + 1..end {
                    sums[(later - column) % 2] -=
                        lanes.load(&columns[later]) * at(source, width, later, column);
                }
                lanes.store((sums[0] + sums[1]) * diagonal[column], &mut columns[column]);
            }
        }
    }
}

/// Writes T⁻¹ above B T⁻¹ for a panel with the triangle T and the rows B below.
struct TimesInverse<'a> {
    source: &'a [Pack],
    width: usize,
    /// T⁻¹, row by row.
    inverse: &'a [f32],
    /// Working memory for the rows of a tile.
    tile: &'a mut [Tile],
    out: &'a mut [Tile],
}

impl RowKernel for TimesInverse<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let width = self.width;
        for (index, out) in self.out.chunks_exact_mut(width).enumerate() {
            self.tile.fill([0.0; ROWS]);
            // Rows of the triangle are those of the unit matrix.
            let own = width.saturating_sub(index * ROWS).min(ROWS);
            let source = self.source[2 * index * width..].chunks(width);
            for (half, packs) in source.take(2).enumerate().filter(|_| own < ROWS) {
                for (column, pack) in self.tile.iter_mut().zip(packs) {
                    for lane in own.max(half * LANES)..(half + 1) * LANES {
                        column[lane] = pack[lane - half * LANES] as f32;
                    }
                }
            }
            for lane in 0..own {
                self.tile[index * ROWS + lane][lane] = 1.0;
            }
            times_triangle(simd, self.tile, self.inverse, out);
        }
    }
}

/// Multiplies the rows of a tile by a lower triangle.
#[inline(always)]
fn times_triangle<S: Simd>(simd: S, tile: &[Tile], triangle: &[f32], out: &mut [Tile]) {
    let width = tile.len();
    for first in (0..width).step_by(COLUMNS) {
        let mut sums = [f32x16::splat(simd, 0.0); COLUMNS];
        let columns = COLUMNS.min(width - first);
        for (column, row) in tile.iter().zip(triangle.chunks_exact(width)).skip(first) {
            let values = f32x16::simd_from(simd, *column);
            for (sum, number) in sums.iter_mut().zip(&row[first..first + columns]) {
                *sum = fused(values, f32x16::splat(simd, *number), *sum);
            }
        }
        for (to, sum) in out[first..].iter_mut().zip(sums) {
            *to = sum.into();
        }
    }
}

/// Both substitutions.
struct SingleSubstitution<'a> {
    structure: &'a Supernodes,
    tiles: &'a [Tile],
    start: &'a [usize],
    x: &'a mut [f32],
    rows: &'a mut [Tile],
}

impl RowKernel for SingleSubstitution<'_> {
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        for (k, own) in self.structure.all.iter().enumerate() {
            self.forward(simd, k, own);
        }
        for (k, own) in self.structure.all.iter().enumerate().rev() {
            self.backward(simd, k, own);
        }
    }
}

impl SingleSubstitution<'_> {
    #[inline(always)]
    fn forward<S: Simd>(&mut self, simd: S, k: usize, own: &Supernode) {
        let numbers = 3 * own.columns.start..3 * own.columns.end;
        let (width, x) = (own.width(), &self.x[numbers.clone()]);
        let tiles = self.tiles[self.start[k]..self.start[k + 1]].chunks_exact(width);
        for (tile, out) in tiles.zip(self.rows.iter_mut()) {
            *out = product(simd, tile, x);
        }
        let rows = self.rows.as_flattened();
        self.x[numbers].copy_from_slice(&rows[..width]);
        for (place, row) in self.structure.below(own) {
            let target = &mut self.x[3 * row..][..3];
            target.iter_mut().zip(&rows[3 * place..]).for_each(|(x, change)| *x -= change);
        }
    }

    #[inline(always)]
    fn backward<S: Simd>(&mut self, simd: S, k: usize, own: &Supernode) {
        let numbers = 3 * own.columns.start..3 * own.columns.end;
        let (width, count) = (own.width(), tile_count(own));
        let rows = self.rows[..count].as_flattened_mut();
        rows[..width].copy_from_slice(&self.x[numbers.clone()]);
        for (place, row) in self.structure.below(own) {
            let from = &self.x[3 * row..][..3];
            rows[3 * place..][..3].iter_mut().zip(from).for_each(|(to, x)| *to = -*x);
        }
        rows[3 * own.rows.len()..].fill(0.0);
        let (tiles, rows) = (&self.tiles[self.start[k]..self.start[k + 1]], &self.rows[..count]);
        let x = &mut self.x[numbers];
        let (groups, rest) = x.as_chunks_mut::<COLUMNS>();
        let first_of_rest = width - rest.len();
        for (group, out) in groups.iter_mut().enumerate() {
            *out = transposed_product(simd, tiles, width, COLUMNS * group, rows);
        }
        for (column, out) in rest.iter_mut().enumerate() {
            [*out] = transposed_product(simd, tiles, width, first_of_rest + column, rows);
        }
    }
}

/// The product of a tile with a vector over its columns.
#[inline(always)]
fn product<S: Simd>(simd: S, tile: &[Tile], x: &[f32]) -> Tile {
    let mut sums = [f32x16::splat(simd, 0.0); COLUMNS];
    let (groups, rest) = tile.as_chunks::<COLUMNS>();
    let (x_groups, x_rest) = x.as_chunks::<COLUMNS>();
    for (columns, x) in groups.iter().zip(x_groups) {
        for c in 0..COLUMNS {
            sums[c] =
                fused(f32x16::simd_from(simd, columns[c]), f32x16::splat(simd, x[c]), sums[c]);
        }
    }
    for (column, x) in rest.iter().zip(x_rest) {
        sums[0] = fused(f32x16::simd_from(simd, *column), f32x16::splat(simd, *x), sums[0]);
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).into()
}

/// The products of some columns, from `first` on, with one number per row.
#[inline(always)]
fn transposed_product<S: Simd, const C: usize>(
    simd: S,
    tiles: &[Tile],
    width: usize,
    first: usize,
    rows: &[Tile],
) -> [f32; C] {
    let mut sums = [f32x16::splat(simd, 0.0); C];
    for (tile, y) in tiles.chunks_exact(width).zip(rows) {
        let y = f32x16::simd_from(simd, *y);
        let columns: &[Tile; C] = tile[first..].first_chunk().expect("a whole group");
        for (sum, column) in sums.iter_mut().zip(columns) {
            *sum = fused(f32x16::simd_from(simd, *column), y, *sum);
        }
    }
    let mut products = [0.0; C];
    for (product, sum) in products.iter_mut().zip(sums) {
        *product = sum_of(sum);
    }
    products
}

/// The sum of all numbers, always in the same order.
#[inline(always)]
fn sum_of<S: Simd>(numbers: f32x16<S>) -> f32 {
    let (low, high) = numbers.split();
    let (low, high) = (low + high).split();
    let four: [f32; 4] = (low + high).into();
    (four[0] + four[2]) + (four[1] + four[3])
}
