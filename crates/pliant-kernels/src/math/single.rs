//! Lanes in single precision: half the bytes and half the registers of [`Wide`](super::Wide), for preconditioners and corrections.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Range, Sub, SubAssign};

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x4, f32x8};
use glam::Vec4;

use super::lane::{LANES, Lane, Pack, fused};
use super::lanes::{LaneParts, Lanes};

/// A vector of a node in single precision, padded to 16 bytes; the fourth number is zero.
pub type SingleNode = Vec4;

/// One number in single precision for each of [`LANES`] cells.
pub type SinglePack = [f32; LANES];

/// Eight numbers in single precision.
#[derive(Debug, Clone, Copy)]
pub struct SingleLane<S: Simd>(f32x8<S>);

/// All lanes of a pack in single precision, with the instruction set `S`.
#[derive(Debug, Clone, Copy)]
pub struct SingleLanes<S: Simd>(pub S);

macro_rules! operator {
    ($operator:ident, $call:ident, $assign:ident, $call_assign:ident) => {
        impl<S: Simd> $operator for SingleLane<S> {
            type Output = Self;

            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                Self(self.0.$call(other.0))
            }
        }

        impl<S: Simd> $operator<f64> for SingleLane<S> {
            type Output = Self;

            #[inline(always)]
            fn $call(self, other: f64) -> Self {
                Self(self.0.$call(f32x8::splat(self.0.simd, other as f32)))
            }
        }

        impl<S: Simd> $assign for SingleLane<S> {
            #[inline(always)]
            fn $call_assign(&mut self, other: Self) {
                *self = (*self).$call(other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);

impl<S: Simd> Div for SingleLane<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl<S: Simd> Div<f64> for SingleLane<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: f64) -> Self {
        self / self.like(other)
    }
}

impl<S: Simd> Neg for SingleLane<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<S: Simd> Lane for SingleLane<S> {
    #[inline(always)]
    fn like(self, value: f64) -> Self {
        Self(f32x8::splat(self.0.simd, value as f32))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(SimdFloat::sqrt(self.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.simd.abs_f32x8(self.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.simd_gt(other.0).select(self.0, other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.simd_lt(other.0).select(self.0, other.0))
    }

    #[inline(always)]
    fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self(self.0.simd_lt(limit.0).select(then.0, otherwise.0))
    }

    #[inline(always)]
    fn any_less(self, limit: Self) -> bool {
        self.0.simd_lt(limit.0).any_true()
    }

    #[inline(always)]
    fn all_less(self, limit: Self) -> bool {
        self.0.simd_lt(limit.0).all_true()
    }

    #[inline(always)]
    fn ln(self) -> Self {
        let lanes: SinglePack = self.0.into();
        Self(f32x8::simd_from(self.0.simd, lanes.map(f32::ln)))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        let lanes: SinglePack = self.0.into();
        Self(f32x8::simd_from(self.0.simd, lanes.map(f32::exp)))
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        if has_fused_instruction(self.0.simd) {
            Self(fused(self.0, b.0, c.0))
        } else {
            Self(f32x8::simd_from(
                self.0.simd,
                fused_apart(&self.0.into(), &b.0.into(), &c.0.into()),
            ))
        }
    }
}

/// True if the instruction set has an instruction for `a · b + c` with one rounding. The compiler knows the answer.
#[inline(always)]
fn has_fused_instruction<S: Simd>(simd: S) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return !matches!(simd.level(), Level::Sse2(_));
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    return matches!(simd.level(), _);
}

/// `a · b + c` lane by lane where no instruction does it: a function of its own, because inlined into a kernel its eight calls would be
/// most of the code that the compiler has to write.
#[inline(never)]
fn fused_apart(a: &SinglePack, b: &SinglePack, c: &SinglePack) -> SinglePack {
    std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
}

impl<S: Simd> SingleLanes<S> {
    /// Reads a pack in single precision.
    #[inline(always)]
    pub fn load_single(self, pack: &SinglePack) -> SingleLane<S> {
        SingleLane(f32x8::simd_from(self.0, *pack))
    }

    /// Reads vectors of eight nodes as x, y and z of all lanes.
    #[inline(always)]
    pub fn load_nodes(self, rows: [&SingleNode; LANES]) -> [SingleLane<S>; 3] {
        let [a, b, c, d, e, f, g, h] = rows;
        let first = transposed(self.0, [a, b, c, d]);
        let second = transposed(self.0, [e, f, g, h]);
        [
            SingleLane(first[0].combine(second[0])),
            SingleLane(first[1].combine(second[1])),
            SingleLane(first[2].combine(second[2])),
        ]
    }

    /// The reverse of [`SingleLanes::load_nodes`].
    #[inline(always)]
    pub fn store_nodes(self, [x, y, z]: [SingleLane<S>; 3], rows: &mut [SingleNode; LANES]) {
        let ((x, x_rest), (y, y_rest), (z, z_rest)) = (x.0.split(), y.0.split(), z.0.split());
        let (first, second) = rows.split_at_mut(LANES / 2);
        write_transposed(self.0, [x, y, z], first);
        write_transposed(self.0, [x_rest, y_rest, z_rest], second);
    }
}

/// x, y and z of four rows.
#[inline(always)]
fn transposed<S: Simd>(simd: S, [a, b, c, d]: [&SingleNode; 4]) -> [f32x4<S>; 3] {
    let (a, b) = (row(simd, a), row(simd, b));
    let (c, d) = (row(simd, c), row(simd, d));
    // x x y y of the first and third row, and of the second and fourth.
    let (even, odd) = (a.zip_low(c), b.zip_low(d));
    let (even_rest, odd_rest) = (a.zip_high(c), b.zip_high(d));
    [even.zip_low(odd), even.zip_high(odd), even_rest.zip_low(odd_rest)]
}

#[inline(always)]
fn row<S: Simd>(simd: S, node: &SingleNode) -> f32x4<S> {
    f32x4::simd_from(simd, node.to_array())
}

/// Writes four rows of x, y, z and zero.
#[inline(always)]
fn write_transposed<S: Simd>(simd: S, [x, y, z]: [f32x4<S>; 3], rows: &mut [SingleNode]) {
    let zero = f32x4::splat(simd, 0.0);
    let (xz, xz_rest) = (x.zip_low(z), x.zip_high(z));
    let (y, y_rest) = (y.zip_low(zero), y.zip_high(zero));
    let four = [xz.zip_low(y), xz.zip_high(y), xz_rest.zip_low(y_rest), xz_rest.zip_high(y_rest)];
    for (row, numbers) in rows.iter_mut().zip(four) {
        *row = Vec4::from_array(numbers.into());
    }
}

impl<S: Simd> Lanes for SingleLanes<S> {
    type Lane = SingleLane<S>;

    const COUNT: usize = LANES;

    #[inline(always)]
    fn load(self, pack: &Pack) -> SingleLane<S> {
        let mut numbers = [0.0; LANES];
        numbers.iter_mut().zip(pack).for_each(|(to, from)| *to = *from as f32);
        SingleLane(f32x8::simd_from(self.0, numbers))
    }

    #[inline(always)]
    fn store(self, value: SingleLane<S>, pack: &mut Pack) {
        let numbers: SinglePack = value.0.into();
        pack.iter_mut().zip(numbers).for_each(|(to, from)| *to = f64::from(from));
    }

    #[inline(always)]
    fn load_rows(self, mut row: impl FnMut(usize) -> [f64; 4]) -> [SingleLane<S>; 4] {
        let mut columns = [[0.0; LANES]; 4];
        for lane in 0..LANES {
            columns.iter_mut().zip(row(lane)).for_each(|(column, number)| column[lane] = number);
        }
        let [x, y, z, w] = &columns;
        [self.load(x), self.load(y), self.load(z), self.load(w)]
    }

    #[inline(always)]
    fn store_rows(self, columns: [SingleLane<S>; 4], mut store: impl FnMut(usize, [f64; 4])) {
        let columns: [SinglePack; 4] = columns.map(|column| column.0.into());
        for lane in 0..LANES {
            store(lane, columns.map(|column| f64::from(column[lane])));
        }
    }

    #[inline(always)]
    fn splat(self, value: f64) -> SingleLane<S> {
        SingleLane(f32x8::splat(self.0, value as f32))
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
        work.part(self);
    }
}
