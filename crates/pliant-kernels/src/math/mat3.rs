//! 3×3 matrices.

use std::ops::{Add, AddAssign, Mul, Sub};

use glam::DMat3;

use super::Lane;
use super::Vec3;

/// A 3×3 matrix as three columns; [`DMat3`] is its counterpart in public signatures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mat3<R = f64>(pub [Vec3<R>; 3]);

impl Mat3 {
    /// The identity matrix.
    pub const IDENTITY: Self =
        Self([Vec3([1.0, 0.0, 0.0]), Vec3([0.0, 1.0, 0.0]), Vec3([0.0, 0.0, 1.0])]);

    /// The zero matrix.
    pub const ZERO: Self = Self([Vec3([0.0; 3]); 3]);
}

impl<R: Lane> Mat3<R> {
    /// Creates the matrix with entries `entry(row, column)`. In a kernel, mark the closure `#[inline(always)]`.
    #[inline(always)]
    pub fn from_fn(mut entry: impl FnMut(usize, usize) -> R) -> Self {
        let [a, b, c] = [0, 1, 2];
        let mut column = |j| Vec3([entry(a, j), entry(b, j), entry(c, j)]);
        Self([column(a), column(b), column(c)])
    }

    /// Creates a diagonal matrix.
    #[inline(always)]
    pub fn diagonal(d: [R; 3]) -> Self {
        let o = d[0].zero();
        Self([Vec3([d[0], o, o]), Vec3([o, d[1], o]), Vec3([o, o, d[2]])])
    }

    /// `a ⊗ b = a bᵀ`.
    #[inline(always)]
    pub fn outer(a: Vec3<R>, b: Vec3<R>) -> Self {
        let [x, y, z] = b.0;
        Self([a * x, a * y, a * z])
    }

    /// Entry in row `i`, column `j`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> R {
        self.0[j].0[i]
    }

    /// All entries, column by column.
    #[inline(always)]
    pub fn numbers(&self) -> [R; 9] {
        let [Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, i])] = self.0;
        [a, b, c, d, e, f, g, h, i]
    }

    /// The transpose.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        let [Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, i])] = self.0;
        Self([Vec3([a, d, g]), Vec3([b, e, h]), Vec3([c, f, i])])
    }

    /// Determinant.
    #[inline(always)]
    pub fn det(&self) -> R {
        let [a, b, c] = self.0;
        a.dot(b.cross(c))
    }

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(&self) -> R {
        self.at(0, 0) + self.at(1, 1) + self.at(2, 2)
    }

    /// Matrix of cofactors, ∂ det F/∂F = det(F) F⁻ᵀ; defined for singular matrices too.
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        let [a, b, c] = self.0;
        Self([b.cross(c), c.cross(a), a.cross(b)])
    }

    /// Differential of the cofactor matrix in the direction `d`.
    #[inline(always)]
    pub fn cofactor_differential(&self, d: &Self) -> Self {
        let ([a, b, c], [da, db, dc]) = (self.0, d.0);
        Self([db.cross(c) + b.cross(dc), dc.cross(a) + c.cross(da), da.cross(b) + a.cross(db)])
    }

    /// Double contraction `A : B = Σ Aᵢⱼ Bᵢⱼ`.
    #[inline(always)]
    pub fn ddot(&self, other: &Self) -> R {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        a.dot(d) + b.dot(e) + c.dot(f)
    }

    /// Squared Frobenius norm.
    #[inline(always)]
    pub fn norm_squared(&self) -> R {
        self.ddot(self)
    }

    /// Inverse; its entries are not finite if the matrix is singular.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let scale = self.at(0, 0).one() / self.det();
        self.cofactor().transpose() * scale
    }

    /// `A v`.
    #[inline(always)]
    pub fn mul_vec(&self, v: Vec3<R>) -> Vec3<R> {
        let ([a, b, c], [x, y, z]) = (self.0, v.0);
        a * x + b * y + c * z
    }

    /// `Aᵀ v`.
    #[inline(always)]
    pub fn transpose_mul_vec(&self, v: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.0;
        Vec3([a.dot(v), b.dot(v), c.dot(v)])
    }

    /// Matrix of cofactors by fused multiply-adds.
    #[inline(always)]
    pub fn fused_cofactor(&self) -> Self {
        let [a, b, c] = self.0;
        Self([b.fused_cross(c), c.fused_cross(a), a.fused_cross(b)])
    }

    /// `Aᵀ A` by fused multiply-adds.
    #[inline(always)]
    pub fn fused_gram(&self) -> Self {
        let [a, b, c] = self.0;
        let [ab, ac, bc] = [a.fused_dot(b), a.fused_dot(c), b.fused_dot(c)];
        Self([
            Vec3([a.fused_dot(a), ab, ac]),
            Vec3([ab, b.fused_dot(b), bc]),
            Vec3([ac, bc, c.fused_dot(c)]),
        ])
    }

    /// Determinant by fused multiply-adds.
    #[inline(always)]
    pub fn fused_det(&self) -> R {
        let [a, b, c] = self.0;
        a.fused_dot(b.fused_cross(c))
    }

    /// Double contraction by fused multiply-adds.
    #[inline(always)]
    pub fn fused_ddot(&self, other: &Self) -> R {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        a.fused_dot(d) + b.fused_dot(e) + c.fused_dot(f)
    }

    /// `A v` by fused multiply-adds.
    #[inline(always)]
    pub fn fused_mul_vec(&self, v: Vec3<R>) -> Vec3<R> {
        let ([a, b, c], [x, y, z]) = (self.0, v.0);
        (a * x).add_scaled(b, y).add_scaled(c, z)
    }

    /// `A B` by fused multiply-adds.
    #[inline(always)]
    pub fn fused_mul(&self, other: &Self) -> Self {
        let [a, b, c] = other.0;
        Self([self.fused_mul_vec(a), self.fused_mul_vec(b), self.fused_mul_vec(c)])
    }

    /// `A + s B`, with one rounding.
    #[inline(always)]
    pub fn add_scaled(&self, other: &Self, scale: R) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a.add_scaled(d, scale), b.add_scaled(e, scale), c.add_scaled(f, scale)])
    }

    /// `A + s I`.
    #[inline(always)]
    pub fn add_diagonal(&self, s: R) -> Self {
        let mut sum = *self;
        for i in 0..3 {
            sum.0[i].0[i] += s;
        }
        sum
    }

    /// `then` where `value < limit`, else `otherwise`.
    #[inline(always)]
    pub fn if_less(value: R, limit: R, then: Self, otherwise: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (then.0, otherwise.0);
        let pick = Vec3::if_less;
        Self([pick(value, limit, a, d), pick(value, limit, b, e), pick(value, limit, c, f)])
    }

    /// Symmetric part `(A + Aᵀ)/2`.
    #[inline(always)]
    pub fn symmetric(&self) -> Self {
        (*self + self.transpose()) * self.at(0, 0).like(0.5)
    }
}

impl<R: Lane> Add for Mat3<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a + d, b + e, c + f])
    }
}

impl<R: Lane> AddAssign for Mat3<R> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Lane> Sub for Mat3<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a - d, b - e, c - f])
    }
}

impl<R: Lane> Mul for Mat3<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let [a, b, c] = other.0;
        Self([self.mul_vec(a), self.mul_vec(b), self.mul_vec(c)])
    }
}

impl<R: Lane> Mul<R> for Mat3<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, scale: R) -> Self {
        let [a, b, c] = self.0;
        Self([a * scale, b * scale, c * scale])
    }
}

impl From<DMat3> for Mat3 {
    fn from(m: DMat3) -> Self {
        Self([m.x_axis.into(), m.y_axis.into(), m.z_axis.into()])
    }
}

impl From<Mat3> for DMat3 {
    fn from(m: Mat3) -> Self {
        Self::from_cols(m.0[0].into(), m.0[1].into(), m.0[2].into())
    }
}
