//! The scalar type of the kernels: one number, or a SIMD pack of numbers.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Range, Sub, SubAssign};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4, f64x8};

/// Number of cells in a pack. It is the same on every machine, so that the layout of data never depends on the
/// processor.
pub const LANES: usize = 8;

/// One value for each of [`LANES`] cells, as stored in memory.
pub type Pack = [f64; LANES];

/// A number, or a pack of numbers processed together.
///
/// Operations are lane-wise and round the same in every implementation, so a kernel gives the same bits for any
/// width.
pub trait Lane:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// Returns a constant in the width of `self`.
    fn like(self, value: f64) -> Self;

    /// Returns √x.
    fn sqrt(self) -> Self;

    /// Returns |x|.
    fn abs(self) -> Self;

    /// Returns the larger value; `other` where `self` is NaN.
    fn max(self, other: Self) -> Self;

    /// Returns the smaller value; `other` where `self` is NaN.
    fn min(self, other: Self) -> Self;

    /// Returns `then` where `self < limit`, else `otherwise`.
    fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// Returns true if `self < limit` in every lane.
    fn all_less(self, limit: Self) -> bool;

    /// Returns true if `self < limit` in any lane. Use it only to skip work whose result no lane would use.
    fn any_less(self, limit: Self) -> bool;

    /// Returns the natural logarithm, lane by lane.
    fn ln(self) -> Self;

    /// Returns eˣ, lane by lane.
    fn exp(self) -> Self;

    /// Returns `self · b + c` with one rounding.
    ///
    /// Every processor since 2013 has an instruction for it; without one it is slow. In WebAssembly, where it would
    /// be slowest, it rounds twice.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// Returns zero in the width of `self`.
    #[inline(always)]
    fn zero(self) -> Self {
        self.like(0.0)
    }

    /// Returns one in the width of `self`.
    #[inline(always)]
    fn one(self) -> Self {
        self.like(1.0)
    }
}

impl Lane for f64 {
    #[inline(always)]
    fn like(self, value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::abs(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        if self < limit { then } else { otherwise }
    }

    #[inline(always)]
    fn any_less(self, limit: Self) -> bool {
        self < limit
    }

    #[inline(always)]
    fn all_less(self, limit: Self) -> bool {
        self < limit
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Self::ln(self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Self::exp(self)
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        if cfg!(target_family = "wasm") { self * b + c } else { Self::mul_add(self, b, c) }
    }
}

impl<S: Simd> Lane for f64x8<S> {
    #[inline(always)]
    fn like(self, value: f64) -> Self {
        Self::splat(self.simd, value)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        SimdFloat::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.simd.abs_f64x8(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.simd_gt(other).select(self, other)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.simd_lt(other).select(self, other)
    }

    #[inline(always)]
    fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        self.simd_lt(limit).select(then, otherwise)
    }

    #[inline(always)]
    fn any_less(self, limit: Self) -> bool {
        self.simd_lt(limit).any_true()
    }

    #[inline(always)]
    fn all_less(self, limit: Self) -> bool {
        self.simd_lt(limit).all_true()
    }

    #[inline(always)]
    fn ln(self) -> Self {
        let lanes: Pack = self.into();
        Self::simd_from(self.simd, lanes.map(f64::ln))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let lanes: Pack = self.into();
        Self::simd_from(self.simd, lanes.map(f64::exp))
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        fused(self, b, c)
    }
}

/// Returns `a · b + c` of short rows of numbers, rounded as [`Lane::mul_add`].
#[inline(always)]
pub fn fused<S: Simd, V: SimdFloat<S>>(a: V, b: V, c: V) -> V {
    if cfg!(target_family = "wasm") { a * b + c } else { a.mul_add_precise(b, c) }
}

/// The lanes of a [`Pack`] that a kernel works on: all at once ([`Wide`]) or a single one ([`One`]).
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
}
