//! Dense panels of a factor, and the kernels on them.
//!
//! A panel stores its rows in tiles of [`LANES`]: tile after tile, in a tile column after column, in a column the
//! rows of the tile as a [`Pack`]. All products read it sequentially. Rows are independent of each other, and each
//! sum has a fixed order, so every register width gives the same bits.

use pliant_kernels::lanes::{Kernel, Width};
use pliant_kernels::math::{LANES, Lane, Lanes, Pack};

/// Number of columns that are processed together, with their sums in registers.
pub(crate) const GROUP: usize = 6;

/// Returns an entry of a panel.
pub(crate) fn at(panel: &[Pack], width: usize, row: usize, column: usize) -> f64 {
    panel[row / LANES * width + column][row % LANES]
}

/// Returns a mutable reference to an entry of a panel.
pub(crate) fn at_mut(panel: &mut [Pack], width: usize, row: usize, column: usize) -> &mut f64 {
    &mut panel[row / LANES * width + column][row % LANES]
}

/// Divides columns into groups of [`GROUP`], the last of which may have half as many: returns start and size of each.
pub(crate) fn groups(columns: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    (0..columns.div_ceil(GROUP)).map(move |k| (k * GROUP, GROUP.min(columns - k * GROUP)))
}

/// Packs rows of a panel as the right operand of a product, group after group: for every column of the panel the
/// numbers of the group side by side, multiplied by the sign of the column.
pub(crate) fn pack_rows(
    panel: &[Pack],
    width: usize,
    first_row: usize,
    count: usize,
    signs: &[f64],
    packed: &mut Vec<f64>,
) {
    for (start, size) in groups(count) {
        let begin = packed.len();
        packed.resize(begin + size * signs.len(), 0.0);
        for k in 0..size {
            let row = first_row + start + k;
            let numbers = panel[row / LANES * width..].iter().map(|pack| pack[row % LANES]);
            let slots = packed[begin..].iter_mut().skip(k).step_by(size);
            for ((slot, number), sign) in slots.zip(numbers).zip(signs) {
                *slot = sign * number;
            }
        }
    }
}

/// The product of all rows of some tiles with packed rows:
///
/// ```text
/// out = A Bᵀ
/// ```
pub(crate) struct PanelProduct<'a> {
    /// Tiles of A.
    pub(crate) tiles: &'a [Pack],
    /// Number of columns of A, the summation index.
    pub(crate) width: usize,
    /// B, from [`pack_rows`].
    pub(crate) packed: &'a [f64],
    /// Number of rows of B.
    pub(crate) columns: usize,
    /// The result: as many tiles as A, of `columns` columns.
    pub(crate) out: &'a mut [Pack],
}

impl Kernel for PanelProduct<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let (depth, columns) = (self.width, self.columns);
        for (tile, out) in self.tiles.chunks(self.width).zip(self.out.chunks_mut(columns)) {
            let mut packed = self.packed;
            for (start, size) in groups(columns) {
                let (own, rest) = packed.split_at(size * depth);
                packed = rest;
                match size {
                    GROUP => product::<L, GROUP>(lanes, tile, own, &mut out[start..]),
                    _ => product::<L, 3>(lanes, tile, own, &mut out[start..]),
                }
            }
        }
    }
}

/// The product of one tile and one group.
#[inline(always)]
fn product<L: Lanes, const C: usize>(lanes: L, tile: &[Pack], packed: &[f64], out: &mut [Pack]) {
    for (sum, out) in sums::<L, C>(lanes, tile, packed).into_iter().zip(out) {
        lanes.store(sum, out);
    }
}

/// Sums of products over the columns of a tile, for each row of a group.
#[inline(always)]
fn sums<L: Lanes, const C: usize>(lanes: L, tile: &[Pack], packed: &[f64]) -> [L::Lane; C] {
    let mut sums = [lanes.splat(0.0); C];
    for (rows, factors) in tile.iter().zip(packed.as_chunks::<C>().0) {
        let rows = lanes.load(rows);
        for (sum, factor) in sums.iter_mut().zip(factors) {
            *sum = rows.mul_add(lanes.splat(*factor), *sum);
        }
    }
    sums
}

/// The diagonal block of a group of columns, factored as `D S Dᵀ`.
#[derive(Debug, Clone, Default)]
struct Corner {
    /// D, row by row.
    rows: [[f64; GROUP]; GROUP],
    /// The diagonal of S: 1 or −1.
    signs: [f64; GROUP],
    /// Reciprocals of the diagonal of D.
    inverse: [f64; GROUP],
}

impl Corner {
    /// Copies the lower triangle of a group from a panel.
    fn new(tiles: &[Pack], width: usize, start: usize, size: usize) -> Self {
        let mut corner = Self::default();
        for i in 0..size {
            for j in 0..=i {
                corner.rows[i][j] = at(tiles, width, start + i, start + j);
            }
        }
        corner
    }

    /// Writes D to a panel.
    fn write(&self, tiles: &mut [Pack], width: usize, start: usize, size: usize) {
        for i in 0..size {
            for j in 0..size {
                *at_mut(tiles, width, start + i, start + j) = self.rows[i][j];
            }
        }
    }

    /// Factors the first `size` rows and columns; `None` if a pivot is zero, not finite, or negative where only
    /// positive ones are `allowed`.
    fn factor(&mut self, size: usize, allowed: Pivots) -> Option<()> {
        for j in 0..size {
            let pivot = self.remainder(j, j);
            let is_fine = match allowed {
                Pivots::Positive => pivot > 0.0,
                Pivots::AnySign => pivot != 0.0,
            };
            if !(is_fine && pivot.is_finite()) {
                return None;
            }
            let root = pivot.abs().sqrt();
            (self.signs[j], self.inverse[j]) = (pivot.signum(), root.recip());
            for i in j + 1..size {
                self.rows[i][j] = self.remainder(i, j) * (self.signs[j] * self.inverse[j]);
            }
            self.rows[j][j] = root;
        }
        Some(())
    }

    /// An entry minus the contributions of the columns before it.
    fn remainder(&self, i: usize, j: usize) -> f64 {
        (0..j).fold(self.rows[i][j], |rest, l| {
            rest - self.rows[i][l] * (self.signs[l] * self.rows[j][l])
        })
    }
}

/// The pivots that a factorisation accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pivots {
    /// A = L Lᵀ
    Positive,
    /// A = L S Lᵀ, S = diag(±1)
    AnySign,
}

/// The factored triangle of a panel, group after group.
#[derive(Debug, Clone, Default)]
pub(crate) struct Triangle {
    corners: Vec<Corner>,
    /// The rows of every group in the columns before it, from [`pack_rows`].
    packed: Vec<f64>,
}

impl Triangle {
    /// Creates an empty triangle with memory for panels of `width` columns.
    pub(crate) fn with_capacity(width: usize) -> Self {
        let packed = Vec::with_capacity(width * width / 2);
        Self { corners: Vec::with_capacity(width.div_ceil(GROUP)), packed }
    }

    /// Factors the diagonal tiles of a panel, after all updates. Writes the signs of the pivots; `None` if a pivot is
    /// not allowed.
    pub(crate) fn factor(
        &mut self,
        run: Width,
        tiles: &mut [Pack],
        width: usize,
        allowed: Pivots,
        signs: &mut [f64],
    ) -> Option<()> {
        self.corners.clear();
        self.packed.clear();
        for (start, size) in groups(width) {
            let packed = self.packed.len();
            pack_rows(tiles, width, start, size, &signs[..start], &mut self.packed);
            let own = &mut tiles[start / LANES * width..];
            run.run(&mut Subtract {
                tiles: own,
                width,
                start,
                size,
                packed: &self.packed[packed..],
            });
            let mut corner = Corner::new(tiles, width, start, size);
            corner.factor(size, allowed)?;
            let own = &mut tiles[start / LANES * width..];
            run.run(&mut Finish { tiles: own, width, start, size, corner: &corner });
            corner.write(tiles, width, start, size);
            signs[start..start + size].copy_from_slice(&corner.signs[..size]);
            self.corners.push(corner);
        }
        clear_above_diagonal(tiles, width);
        Some(())
    }

    /// Returns the reciprocals of the diagonal.
    pub(crate) fn inverse(&self) -> impl Iterator<Item = f64> {
        self.corners.iter().flat_map(|corner| corner.inverse)
    }
}

/// Clears the entries above the diagonal. They are meaningless, and an infinity there would turn a product with zero
/// into NaN.
fn clear_above_diagonal(tiles: &mut [Pack], width: usize) {
    for column in 0..width {
        for row in column / LANES * LANES..column {
            *at_mut(tiles, width, row, column) = 0.0;
        }
        for tile in 0..column / LANES {
            tiles[tile * width + column] = Pack::default();
        }
    }
}

/// Solves for the tiles below the triangle of a panel:
///
/// ```text
/// X S Lᵀ = tiles
/// ```
pub(crate) struct SolveBelow<'a> {
    pub(crate) tiles: &'a mut [Pack],
    pub(crate) width: usize,
    pub(crate) triangle: &'a Triangle,
}

impl Kernel for SolveBelow<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        for tile in self.tiles.chunks_mut(self.width) {
            let mut packed = &self.triangle.packed[..];
            for ((start, size), corner) in groups(self.width).zip(&self.triangle.corners) {
                let (own, rest) = packed.split_at(size * start);
                packed = rest;
                subtract(lanes, tile, start, size, own);
                finish(lanes, &mut tile[start..][..size], corner);
            }
        }
    }
}

/// Subtracts products from the columns of a group in some tiles.
struct Subtract<'a> {
    tiles: &'a mut [Pack],
    width: usize,
    start: usize,
    size: usize,
    /// The group's rows in the columns before it, from [`pack_rows`].
    packed: &'a [f64],
}

impl Kernel for Subtract<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        for tile in self.tiles.chunks_mut(self.width) {
            subtract(lanes, tile, self.start, self.size, self.packed);
        }
    }
}

#[inline(always)]
fn subtract<L: Lanes>(lanes: L, tile: &mut [Pack], start: usize, size: usize, packed: &[f64]) {
    let (before, own) = tile.split_at_mut(start);
    match size {
        GROUP => subtract_group::<L, GROUP>(lanes, before, packed, own),
        _ => subtract_group::<L, 3>(lanes, before, packed, own),
    }
}

#[inline(always)]
fn subtract_group<L: Lanes, const C: usize>(
    lanes: L,
    before: &[Pack],
    packed: &[f64],
    columns: &mut [Pack],
) {
    for (column, sum) in columns.iter_mut().zip(sums::<L, C>(lanes, before, packed)) {
        lanes.store(lanes.load(column) - sum, column);
    }
}

/// Solves for the columns of a group in some tiles, once the corner of the group is factored: `X S Dᵀ = columns`.
struct Finish<'a> {
    tiles: &'a mut [Pack],
    width: usize,
    start: usize,
    size: usize,
    corner: &'a Corner,
}

impl Kernel for Finish<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        for tile in self.tiles.chunks_mut(self.width) {
            finish(lanes, &mut tile[self.start..][..self.size], self.corner);
        }
    }
}

#[inline(always)]
fn finish<L: Lanes>(lanes: L, columns: &mut [Pack], corner: &Corner) {
    let Corner { rows, signs, inverse } = corner;
    for j in 0..columns.len() {
        let mut rest = lanes.load(&columns[j]);
        for l in 0..j {
            rest -= lanes.load(&columns[l]) * (signs[l] * rows[j][l]);
        }
        lanes.store(rest * (signs[j] * inverse[j]), &mut columns[j]);
    }
}

/// Number of independent partial sums, so that additions do not wait for each other.
const CHAINS: usize = 4;

/// The product of some tiles with a vector over their first columns: `out = A x`.
pub(crate) struct Apply<'a> {
    pub(crate) tiles: &'a [Pack],
    pub(crate) width: usize,
    pub(crate) x: &'a [f64],
    /// One pack per tile.
    pub(crate) out: &'a mut [Pack],
}

impl Kernel for Apply<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        for (tile, out) in self.tiles.chunks(self.width).zip(self.out.iter_mut()) {
            let mut sums = [lanes.splat(0.0); CHAINS];
            let (whole, rest) = self.x.as_chunks::<CHAINS>();
            let (tiles, tile_rest) = tile[..self.x.len()].as_chunks::<CHAINS>();
            for (rows, x) in tiles.iter().zip(whole) {
                for k in 0..CHAINS {
                    sums[k] = lanes.load(&rows[k]).mul_add(lanes.splat(x[k]), sums[k]);
                }
            }
            for (rows, x) in tile_rest.iter().zip(rest) {
                sums[0] = lanes.load(rows).mul_add(lanes.splat(*x), sums[0]);
            }
            lanes.store((sums[0] + sums[1]) + (sums[2] + sums[3]), out);
        }
    }
}

/// The product of a group of columns of some tiles with one pack per tile, lane by lane: the sum of the lanes is `Aᵀ
/// y`.
pub(crate) struct ApplyTransposed<'a> {
    pub(crate) tiles: &'a [Pack],
    pub(crate) width: usize,
    pub(crate) start: usize,
    pub(crate) size: usize,
    /// One pack per tile.
    pub(crate) y: &'a [Pack],
    pub(crate) out: &'a mut [Pack; GROUP],
}

impl Kernel for ApplyTransposed<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        match self.size {
            GROUP => self.sums::<L, GROUP>(lanes),
            _ => self.sums::<L, 3>(lanes),
        }
    }
}

impl ApplyTransposed<'_> {
    #[inline(always)]
    fn sums<L: Lanes, const C: usize>(&mut self, lanes: L) {
        let mut sums = [lanes.splat(0.0); C];
        for (tile, y) in self.tiles.chunks(self.width).zip(self.y) {
            let y = lanes.load(y);
            let columns: &[Pack; C] = tile[self.start..].first_chunk().expect("a whole group");
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = lanes.load(column).mul_add(y, *sum);
            }
        }
        for (sum, out) in sums.into_iter().zip(self.out.iter_mut()) {
            lanes.store(sum, out);
        }
    }
}
