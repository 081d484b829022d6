//! The lanes of a pack that a kernel works on.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x2, f64x4, f64x8};

use super::{LANES, Lane, Pack};

/// The lanes of a [`Pack`] that a kernel works on: all at once ([`Wide`]), four ([`Half`]) or a single one ([`One`]).
pub trait Lanes: Copy {
    /// The scalar type of the kernel.
    type Lane: Lane;

    /// Reads the lanes of a pack.
    fn load(self, pack: &Pack) -> Self::Lane;

    /// Writes the lanes of a pack.
    fn store(self, value: Self::Lane, pack: &mut Pack);

    /// Reads four adjacent numbers of each lane.
    fn load_rows(self, rows: &[[f64; 4]; LANES]) -> [Self::Lane; 4];

    /// Writes four adjacent numbers of each lane.
    fn store_rows(self, columns: [Self::Lane; 4], rows: &mut [[f64; 4]; LANES]);

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

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64 {
        pack[self.0]
    }

    #[inline(always)]
    fn store(self, value: f64, pack: &mut Pack) {
        pack[self.0] = value;
    }

    #[inline(always)]
    fn load_rows(self, rows: &[[f64; 4]; LANES]) -> [f64; 4] {
        rows[self.0]
    }

    #[inline(always)]
    fn store_rows(self, columns: [f64; 4], rows: &mut [[f64; 4]; LANES]) {
        rows[self.0] = columns;
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

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64x8<S> {
        f64x8::simd_from(self.0, *pack)
    }

    #[inline(always)]
    fn store(self, value: f64x8<S>, pack: &mut Pack) {
        *pack = value.into();
    }

    #[inline(always)]
    fn load_rows(self, rows: &[[f64; 4]; LANES]) -> [f64x8<S>; 4] {
        // A 4×8 transpose: deinterleaving once gives x z x z … and y w y w …, twice gives each of the four.
        let [a, b] = [self.pair(rows[0], rows[1]), self.pair(rows[2], rows[3])];
        let [c, d] = [self.pair(rows[4], rows[5]), self.pair(rows[6], rows[7])];
        let ((xz, yw), (xz_rest, yw_rest)) = (a.deinterleave(b), c.deinterleave(d));
        let ((x, z), (y, w)) = (xz.deinterleave(xz_rest), yw.deinterleave(yw_rest));
        [x, y, z, w]
    }

    #[inline(always)]
    fn store_rows(self, [x, y, z, w]: [f64x8<S>; 4], rows: &mut [[f64; 4]; LANES]) {
        let ((xz, xz_rest), (yw, yw_rest)) = (x.interleave(z), y.interleave(w));
        let ((a, b), (c, d)) = (xz.interleave(yw), xz_rest.interleave(yw_rest));
        let pairs: &mut [[[f64; 4]; 2]; 4] =
            rows.as_chunks_mut().0.first_chunk_mut().expect("8 rows");
        for (pair, rows) in [a, b, c, d].into_iter().zip(pairs) {
            let (first, second) = pair.split();
            *rows = [first.into(), second.into()];
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
            work.part(Half::<S, 0>(self.0));
            work.part(Half::<S, 4>(self.0));
        } else {
            work.part(self);
        }
    }
}

/// Four lanes of a pack, from `FIRST` on (0 or 4), with the instruction set `S`.
#[derive(Debug, Clone, Copy)]
pub struct Half<S: Simd, const FIRST: usize>(pub S);

impl<S: Simd, const FIRST: usize> Lanes for Half<S, FIRST> {
    type Lane = f64x4<S>;

    #[inline(always)]
    fn load(self, pack: &Pack) -> f64x4<S> {
        f64x4::simd_from(self.0, pack.as_chunks().0[FIRST / 4])
    }

    #[inline(always)]
    fn store(self, value: f64x4<S>, pack: &mut Pack) {
        pack.as_chunks_mut().0[FIRST / 4] = value.into();
    }

    #[inline(always)]
    fn load_rows(self, rows: &[[f64; 4]; LANES]) -> [f64x4<S>; 4] {
        // In halves of rows: LLVM joins them to the shortest transposition.
        let mut halves = [[f64x2::splat(self.0, 0.0); 2]; 4];
        for row in 0..4 {
            let [x, y, z, w] = rows[FIRST + row];
            halves[row] = [f64x2::simd_from(self.0, [x, y]), f64x2::simd_from(self.0, [z, w])];
        }
        let [[a, e], [b, f], [c, g], [d, h]] = halves;
        let ((ax, ay), (bx, by)) = (a.interleave(b), c.interleave(d));
        let ((az, aw), (bz, bw)) = (e.interleave(f), g.interleave(h));
        [ax.combine(bx), ay.combine(by), az.combine(bz), aw.combine(bw)]
    }

    #[inline(always)]
    fn store_rows(self, [x, y, z, w]: [f64x4<S>; 4], rows: &mut [[f64; 4]; LANES]) {
        let ((xa, xb), (ya, yb), (za, zb), (wa, wb)) = (x.split(), y.split(), z.split(), w.split());
        let ((a, b), (c, d)) = (xa.interleave(ya), xb.interleave(yb));
        let ((e, f), (g, h)) = (za.interleave(wa), zb.interleave(wb));
        rows[FIRST] = a.combine(e).into();
        rows[FIRST + 1] = b.combine(f).into();
        rows[FIRST + 2] = c.combine(g).into();
        rows[FIRST + 3] = d.combine(h).into();
    }

    #[inline(always)]
    fn splat(self, value: f64) -> f64x4<S> {
        f64x4::splat(self.0, value)
    }

    #[inline(always)]
    fn selected(self) -> Range<usize> {
        FIRST..FIRST + 4
    }

    #[inline(always)]
    fn run<T>(self, f: impl FnOnce() -> T) -> T {
        self.0.vectorize(f)
    }

    #[inline(always)]
    fn in_parts(self, work: &mut impl LaneParts) {
        work.part(self);
    }
}
