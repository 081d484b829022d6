//! Forward and backward substitution with a factor.

use pliant_kernels::lanes::Width;
use pliant_kernels::math::{LANES, Pack};

use crate::panel::{Apply, ApplyTransposed, GROUP, at, groups};
use crate::supernodes::{Supernode, Supernodes};

/// Solves triangular systems in place; `x` is in elimination order.
pub(crate) struct Substitution<'a> {
    pub(crate) structure: &'a Supernodes,
    pub(crate) width: Width,
    pub(crate) panels: &'a [Pack],
    /// Reciprocals of the diagonal of L.
    pub(crate) inverse: &'a [f64],
    pub(crate) x: &'a mut [f64],
    /// Working memory, one number per row of a panel.
    pub(crate) rows: &'a mut [Pack],
}

impl Substitution<'_> {
    /// Solves L z = x.
    pub(crate) fn forward(&mut self) {
        let structure = self.structure;
        for own in &structure.all {
            self.forward_triangle(own);
            self.subtract_below(own);
        }
    }

    /// Solves Lᵀ z = x.
    pub(crate) fn backward(&mut self) {
        let structure = self.structure;
        for own in structure.all.iter().rev() {
            self.gather_below(own);
            self.backward_triangle(own);
        }
    }

    /// Solves for the entries of one supernode, tile by tile.
    fn forward_triangle(&mut self, own: &Supernode) {
        let (width, panel) = (own.width(), &self.panels[own.panel.clone()]);
        let numbers = 3 * own.columns.start..3 * own.columns.end;
        let (x, inverse) = (&mut self.x[numbers.clone()], &self.inverse[numbers]);
        for (k, tile) in panel.chunks(width).take(width.div_ceil(LANES)).enumerate() {
            let first = k * LANES;
            let mut sums = [Pack::default()];
            self.width.run(&mut Apply { tiles: tile, width, x: &x[..first], out: &mut sums });
            for row in first..width.min(first + LANES) {
                let lane = row - first;
                let known = (first..row).fold(sums[0][lane], |sum, c| sum + tile[c][lane] * x[c]);
                x[row] = (x[row] - known) * inverse[row];
            }
        }
    }

    /// Subtracts the contribution of these entries to the rows below.
    fn subtract_below(&mut self, own: &Supernode) {
        let (width, first) = (own.width(), own.width() / LANES);
        let tiles = &self.panels[own.panel.clone()][first * width..];
        let x = &self.x[3 * own.columns.start..3 * own.columns.end];
        self.width.run(&mut Apply { tiles, width, x, out: &mut self.rows[first..own.tiles()] });
        let rows = self.rows.as_flattened();
        for (k, row) in self.structure.below(own) {
            let target = &mut self.x[3 * row..][..3];
            target.iter_mut().zip(&rows[3 * k..]).for_each(|(x, product)| *x -= product);
        }
    }

    /// Collects the entries of the rows below, with zeros elsewhere.
    fn gather_below(&mut self, own: &Supernode) {
        self.rows[..own.tiles()].fill(Pack::default());
        for (k, row) in self.structure.below(own) {
            self.rows.as_flattened_mut()[3 * k..][..3].copy_from_slice(&self.x[3 * row..][..3]);
        }
    }

    /// Solves for the entries of one supernode, the last group of columns first.
    fn backward_triangle(&mut self, own: &Supernode) {
        let (width, panel) = (own.width(), &self.panels[own.panel.clone()]);
        let numbers = 3 * own.columns.start..3 * own.columns.end;
        let (x, inverse) = (&mut self.x[numbers.clone()], &self.inverse[numbers]);
        for (start, size) in groups(width).rev() {
            let first = start / LANES;
            let (tiles, y) = (&panel[first * width..], &self.rows[first..own.tiles()]);
            let mut sums = [Pack::default(); GROUP];
            self.width.run(&mut ApplyTransposed { tiles, width, start, size, y, out: &mut sums });
            for k in (start..start + size).rev() {
                let known = sum(&sums[k - start]);
                let known = (k + 1..start + size)
                    .fold(known, |known, row| known + at(panel, width, row, k) * x[row]);
                x[k] = (x[k] - known) * inverse[k];
            }
            self.rows.as_flattened_mut()[start..start + size]
                .copy_from_slice(&x[start..start + size]);
        }
    }
}

/// The sum of all lanes, always in the same order.
fn sum([a, b, c, d, e, f, g, h]: &Pack) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
