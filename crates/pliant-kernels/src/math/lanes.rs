//! The lanes of a pack that a kernel works on.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x2, f64x4, f64x8};

use super::{LANES, Lane, Pack};

/// The lanes of a [`Pack`] that a kernel works on: all at once ([`Wide`]), four ([`Half`]) or a single one ([`One`]).
pub trait Lanes: Copy {
    /// The scalar type of the kernel.
    type Lane: Lane;

    /// Number of selected lanes.
    const COUNT: usize;

    /// Reads the lanes of a pack.
    fn load(self, pack: &Pack) -> Self::Lane;

    /// Writes the lanes of a pack.
    fn store(self, value: Self::Lane, pack: &mut Pack);

    /// Reads four adjacent numbers of each lane: `row(lane)`.
    fn load_rows(self, row: impl FnMut(usize) -> [f64; 4]) -> [Self::Lane; 4];

    /// Writes four adjacent numbers of each lane: `store(lane, row)`.
    fn store_rows(self, columns: [Self::Lane; 4], store: impl FnMut(usize, [f64; 4]));

    /// Returns a constant in all lanes.
    fn splat(self, value: f64) -> Self::Lane;

    /// Returns the selected lanes of a pack.
    fn selected(self) -> Range<usize>;

    /// Runs `f` compiled for the instruction set of these lanes. This marks where a large kernel is cut into pieces
    /// that are compiled once each; functions called by `f` must be inlined.
    fn run<T>(self, f: impl FnOnce() -> T) -> T;

    /// Runs `work` on these lanes in parts of as many lanes as a register has, for kernels with many intermediate results.
    fn in_parts(self, work: &mut impl LaneParts);
}

/// Work on some lanes of a pack; see [`Lanes::in_parts`].
pub trait LaneParts {
    /// Works on these lanes.
    fn part<L: Lanes>(&mut self, lanes: L);
}

/// A single lane of a pack, by its index.
#[derive(Debug, Clone, Copy)]
pub struct One(pub usize);

impl Lanes for One {
    type Lane = f64;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64 {
        pack[self.0]
    }

    #[inline(always)]
    fn store(self, value: f64, pack: &mut Pack) {
        pack[self.0] = value;
    }

    #[inline(always)]
    fn load_rows(self, mut row: impl FnMut(usize) -> [f64; 4]) -> [f64; 4] {
        row(self.0)
    }

    #[inline(always)]
    fn store_rows(self, columns: [f64; 4], mut store: impl FnMut(usize, [f64; 4])) {
        store(self.0, columns);
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn selected(self) -> Range<usize> {
        self.0..self.0 + 1
    }

    #[inline(always)]
    fn run<T>(self, f: impl FnOnce() -> T) -> T {
        f()
    }

    #[inline(always)]
    fn in_parts(self, work: &mut impl LaneParts) {
        work.part(self);
    }
}

/// All lanes of a pack, with the instruction set `S`.
#[derive(Debug, Clone, Copy)]
pub struct Wide<S: Simd>(pub S);

impl<S: Simd> Wide<S> {
    /// Combines two rows into one vector.
    #[inline(always)]
    fn pair(self, first: [f64; 4], second: [f64; 4]) -> f64x8<S> {
        f64x4::simd_from(self.0, first).combine(f64x4::simd_from(self.0, second))
    }
}

impl<S: Simd> Lanes for Wide<S> {
    type Lane = f64x8<S>;

    const COUNT: usize = LANES;

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64x8<S> {
        f64x8::simd_from(self.0, *pack)
    }

    #[inline(always)]
    fn store(self, value: f64x8<S>, pack: &mut Pack) {
        *pack = value.into();
    }

    #[inline(always)]
    fn load_rows(self, mut row: impl FnMut(usize) -> [f64; 4]) -> [f64x8<S>; 4] {
        // A 4×8 transpose: deinterleaving once gives x z x z … and y w y w …, twice gives each of the four.
        let mut pair = |lane| self.pair(row(lane), row(lane + 1));
        let [a, b, c, d] = [pair(0), pair(2), pair(4), pair(6)];
        let ((xz, yw), (xz_rest, yw_rest)) = (a.deinterleave(b), c.deinterleave(d));
        let ((x, z), (y, w)) = (xz.deinterleave(xz_rest), yw.deinterleave(yw_rest));
        [x, y, z, w]
    }

    #[inline(always)]
    fn store_rows(self, [x, y, z, w]: [f64x8<S>; 4], mut store: impl FnMut(usize, [f64; 4])) {
        let ((xz, xz_rest), (yw, yw_rest)) = (x.interleave(z), y.interleave(w));
        let ((a, b), (c, d)) = (xz.interleave(yw), xz_rest.interleave(yw_rest));
        for (index, pair) in [a, b, c, d].into_iter().enumerate() {
            let (first, second) = pair.split();
            store(2 * index, first.into());
            store(2 * index + 1, second.into());
        }
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64x8<S> {
        f64x8::splat(self.0, value)
    }

    #[inline(always)]
    fn selected(self) -> Range<usize> {
        0..LANES
    }

    #[inline(always)]
    fn run<T>(self, f: impl FnOnce() -> T) -> T {
        self.0.vectorize(f)
    }

    #[inline(always)]
    fn in_parts(self, work: &mut impl LaneParts) {
        if S::f64s::LEN < LANES {
            // A loop, so that the work is compiled once.
            for second in [false, true] {
                work.part(Half { simd: self.0, second });
            }
        } else {
            work.part(self);
        }
    }
}

/// The first or the last four lanes of a pack, with the instruction set `S`.
#[derive(Debug, Clone, Copy)]
pub struct Half<S: Simd> {
    simd: S,
    second: bool,
}

impl<S: Simd> Lanes for Half<S> {
    type Lane = f64x4<S>;

    const COUNT: usize = LANES / 2;

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64x4<S> {
        f64x4::simd_from(self.simd, pack.as_chunks().0[usize::from(self.second)])
    }

    #[inline(always)]
    fn store(self, value: f64x4<S>, pack: &mut Pack) {
        pack.as_chunks_mut().0[usize::from(self.second)] = value.into();
    }

    #[inline(always)]
    fn load_rows(self, mut row: impl FnMut(usize) -> [f64; 4]) -> [f64x4<S>; 4] {
        let first = self.selected().start;
        // In halves of rows: LLVM joins them to the shortest transposition.
        let mut half = |lane| {
            let [x, y, z, w] = row(first + lane);
            [f64x2::simd_from(self.simd, [x, y]), f64x2::simd_from(self.simd, [z, w])]
        };
        let [[a, e], [b, f], [c, g], [d, h]] = [half(0), half(1), half(2), half(3)];
        let ((ax, ay), (bx, by)) = (a.interleave(b), c.interleave(d));
        let ((az, aw), (bz, bw)) = (e.interleave(f), g.interleave(h));
        [ax.combine(bx), ay.combine(by), az.combine(bz), aw.combine(bw)]
    }

    #[inline(always)]
    fn store_rows(self, [x, y, z, w]: [f64x4<S>; 4], mut store: impl FnMut(usize, [f64; 4])) {
        let ((xa, xb), (ya, yb), (za, zb), (wa, wb)) = (x.split(), y.split(), z.split(), w.split());
        let ((a, b), (c, d)) = (xa.interleave(ya), xb.interleave(yb));
        let ((e, f), (g, h)) = (za.interleave(wa), zb.interleave(wb));
        let rows = [a.combine(e), b.combine(f), c.combine(g), d.combine(h)];
        for (lane, row) in self.selected().zip(rows) {
            store(lane, row.into());
        }
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4<S> {
        f64x4::splat(self.simd, value)
    }

    #[inline(always)]
    fn selected(self) -> Range<usize> {
        let first = usize::from(self.second) * 4;
        first..first + 4
    }

    #[inline(always)]
    fn run<T>(self, f: impl FnOnce() -> T) -> T {
        self.simd.vectorize(f)
    }

    #[inline(always)]
    fn in_parts(self, work: &mut impl LaneParts) {
        work.part(self);
    }
}
