//! The scalar of the kernels: one number, or a pack of them.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Range, Sub, SubAssign};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4, f64x8};

/// How many cells a pack holds, on every machine, so that data laid out for lanes never
/// depends on the processor.
pub const LANES: usize = 8;

/// One number of each of [`LANES`] cells, as it lies in memory.
pub type Pack = [f64; LANES];

/// A number, or a pack of numbers that are computed on together.
///
/// Operations are lane-wise and round alike in every implementation, so a kernel gives the
/// same bits in any width. The one exception is [`Lane::mul_add`] under the feature `fma`.
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
    /// A constant in the width of `self`.
    fn like(self, value: f64) -> Self;

    /// √x.
    fn sqrt(self) -> Self;

    /// |x|.
    fn abs(self) -> Self;

    /// The larger of two; `other` where `self` is not a number.
    fn max(self, other: Self) -> Self;

    /// The smaller of two; `other` where `self` is not a number.
    fn min(self, other: Self) -> Self;

    /// `then` where `self < limit`, else `otherwise`.
    fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// Whether `self < limit` in every lane.
    fn all_less(self, limit: Self) -> bool;

    /// Whether `self < limit` in any lane. Only to skip work whose outcome no lane would take.
    fn any_less(self, limit: Self) -> bool;

    /// Natural logarithm, lane by lane.
    fn ln(self) -> Self;

    /// eˣ, lane by lane.
    fn exp(self) -> Self;

    /// `self · b + c`: two roundings, or one under the feature `fma`.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// `self · b + c` with one rounding, in the same instruction on every processor since 2013. Without such an instruction it is slow,
    /// and in WebAssembly, where it would be slowest, there are two roundings.
    fn fused_mul_add(self, b: Self, c: Self) -> Self;

    /// Zero in the width of `self`.
    #[inline(always)]
    fn zero(self) -> Self {
        self.like(0.0)
    }

    /// One in the width of `self`.
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
        if cfg!(feature = "fma") { Self::mul_add(self, b, c) } else { self * b + c }
    }

    #[inline(always)]
    fn fused_mul_add(self, b: Self, c: Self) -> Self {
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
        if cfg!(feature = "fma") { SimdFloat::mul_add_precise(self, b, c) } else { self * b + c }
    }

    #[inline(always)]
    fn fused_mul_add(self, b: Self, c: Self) -> Self {
        if cfg!(target_family = "wasm") {
            self * b + c
        } else {
            SimdFloat::mul_add_precise(self, b, c)
        }
    }
}

/// Which lanes of a [`Pack`] a kernel works on: all at once ([`Wide`]) or a single one ([`One`]).
pub trait Lanes: Copy {
    /// The scalar the kernel then computes with.
    type Lane: Lane;

    /// Reads the lanes of a pack.
    fn load(self, pack: &Pack) -> Self::Lane;

    /// Writes the lanes of a pack.
    fn store(self, value: Self::Lane, pack: &mut Pack);

    /// Reads four numbers of each lane that lie side by side.
    fn load_rows(self, rows: &[[f64; 4]; LANES]) -> [Self::Lane; 4];

    /// Writes four numbers of each lane side by side.
    fn store_rows(self, columns: [Self::Lane; 4], rows: &mut [[f64; 4]; LANES]);

    /// A constant.
    fn splat(self, value: f64) -> Self::Lane;

    /// The lanes of a pack that are worked on.
    fn selected(self) -> Range<usize>;

    /// Runs `f` compiled for the instructions of these lanes. Marks the places where a large
    /// kernel is cut into pieces that are compiled once each; what `f` calls is to be inlined.
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

/// All lanes of a pack, with the instructions of `S`.
#[derive(Debug, Clone, Copy)]
pub struct Wide<S: Simd>(pub S);

impl<S: Simd> Wide<S> {
    /// Two rows side by side.
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
        // Every other number, twice: x z x z … and y w y w …, then each of the four.
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
