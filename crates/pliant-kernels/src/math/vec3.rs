//! Vectors of three components.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::DVec3;

use super::Lane;

/// A column vector of the kernels; [`DVec3`] is its counterpart in public signatures.
///
/// Operations are written out per component: a closure passed to `array::map` would be compiled separately, without
/// the instruction set of the kernel that contains it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vec3<R = f64>(pub [R; 3]);

impl<R: Lane> Vec3<R> {
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        a * d + b * e + c * f
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([b * f - c * e, c * d - a * f, a * e - b * d])
    }

    /// Scalar product by fused multiply-adds.
    #[inline(always)]
    pub fn fused_dot(self, other: Self) -> R {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        c.mul_add(f, b.mul_add(e, a * d))
    }

    /// Vector product by fused multiply-adds.
    #[inline(always)]
    pub fn fused_cross(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([b.mul_add(f, -(c * e)), c.mul_add(d, -(a * f)), a.mul_add(e, -(b * d))])
    }

    /// `a + s b`, with one rounding.
    #[inline(always)]
    pub fn add_scaled(self, other: Self, scale: R) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([d.mul_add(scale, a), e.mul_add(scale, b), f.mul_add(scale, c)])
    }

    /// Returns `then` where `value < limit`, else `otherwise`.
    #[inline(always)]
    pub fn if_less(value: R, limit: R, then: Self, otherwise: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (then.0, otherwise.0);
        Self([value.if_less(limit, a, d), value.if_less(limit, b, e), value.if_less(limit, c, f)])
    }
}

impl<R: Lane> Add for Vec3<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a + d, b + e, c + f])
    }
}

impl<R: Lane> AddAssign for Vec3<R> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Lane> Sub for Vec3<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a - d, b - e, c - f])
    }
}

impl<R: Lane> Neg for Vec3<R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b, c] = self.0;
        Self([-a, -b, -c])
    }
}

impl<R: Lane> Mul<R> for Vec3<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, scale: R) -> Self {
        let [a, b, c] = self.0;
        Self([a * scale, b * scale, c * scale])
    }
}

impl From<[f64; 3]> for Vec3 {
    fn from(v: [f64; 3]) -> Self {
        Self(v)
    }
}

impl From<DVec3> for Vec3 {
    fn from(v: DVec3) -> Self {
        Self(v.to_array())
    }
}

impl From<Vec3> for DVec3 {
    fn from(v: Vec3) -> Self {
        Self::from_array(v.0)
    }
}
