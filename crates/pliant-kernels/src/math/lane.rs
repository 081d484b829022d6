//! The scalar type of the kernels: one number, or a SIMD pack of numbers.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

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

/// Numbers processed together: half a pack or a whole one.
macro_rules! impl_lane {
    ($Vector:ident, $count:literal, $abs:ident) => {
        impl<S: Simd> Lane for $Vector<S> {
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
                self.simd.$abs(self)
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
                let lanes: [f64; $count] = self.into();
                Self::simd_from(self.simd, lanes.map(f64::ln))
            }

            #[inline(always)]
            fn exp(self) -> Self {
                let lanes: [f64; $count] = self.into();
                Self::simd_from(self.simd, lanes.map(f64::exp))
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                fused(self, b, c)
            }
        }
    };
}

impl_lane!(f64x4, 4, abs_f64x4);
impl_lane!(f64x8, 8, abs_f64x8);

/// Returns `a · b + c` of short rows of numbers, rounded as [`Lane::mul_add`].
#[inline(always)]
pub fn fused<S: Simd, V: SimdFloat<S>>(a: V, b: V, c: V) -> V {
    if cfg!(target_family = "wasm") { a * b + c } else { a.mul_add_precise(b, c) }
}
