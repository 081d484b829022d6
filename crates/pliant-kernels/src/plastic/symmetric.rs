//! Functions of symmetric matrices in lanes.

use crate::math::{Eigen, Lane, Lanes, Mat3, symmetric_eigen};

/// Eigenvalue decomposition. Not inlined: it is compiled once, not for every use.
#[inline(never)]
pub(super) fn decomposed<L: Lanes>(lanes: L, matrix: &Mat3<L::Lane>) -> Eigen<L::Lane> {
    lanes.run(
        #[inline(always)]
        || symmetric_eigen(matrix),
    )
}

/// Largest number of terms of the series: enough for a matrix with a norm of two.
const TERMS: u32 = 24;

/// Terms below this do not change a sum of about one.
const NOTHING_MORE: f64 = 1e-18;

/// exp(s N) for many values of s, with a symmetric matrix N of zero trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exponential<R> {
    matrix: Mat3<R>,
    squared: Mat3<R>,
    /// tr N²/2.
    half_square: R,
    det: R,
}

impl<R: Lane> Exponential<R> {
    #[inline(always)]
    pub(super) fn of(matrix: &Mat3<R>) -> Self {
        let squared = *matrix * *matrix;
        let half_square = squared.trace() * 0.5;
        Self { matrix: *matrix, squared, half_square, det: matrix.det() }
    }

    /// Returns exp A of A = s N, ‖A‖ ≤ 2, by its power series; all powers reduce to I, A and A² (Cayley–Hamilton):
    ///
    /// ```text
    /// A³ = ½ tr A² A + det A I        Aᵏ/k! = x I + y A + z A²  →  (x, y, z) ← (z det A, x + z ½ tr A², y)/(k + 1)
    /// ```
    #[inline(always)]
    pub(super) fn at(&self, s: R) -> Mat3<R> {
        let (zero, one) = (s.zero(), s.one());
        let (q, r) = (self.half_square * s * s, self.det * s * s * s);
        let (mut x, mut y, mut z) = (one, zero, zero);
        let (mut sum_x, mut sum_y, mut sum_z) = (one, zero, zero);
        let nothing = s.like(NOTHING_MORE);
        for k in 1..=TERMS {
            let part = 1.0 / f64::from(k);
            (x, y, z) = (z * r * part, (x + z * q) * part, y * part);
            (sum_x, sum_y, sum_z) = (sum_x + x, sum_y + y, sum_z + z);
            if !nothing.any_less(x.abs().max(y.abs()).max(z.abs())) {
                break;
            }
        }
        (self.matrix * (sum_y * s) + self.squared * (sum_z * s * s)).add_diagonal(sum_x)
    }
}

/// U diag(d) Vᵀ.
#[inline(always)]
pub(super) fn spread<R: Lane>(u: &Mat3<R>, d: [R; 3], v: &Mat3<R>) -> Mat3<R> {
    let [a, b, c] = u.0;
    Mat3([a * d[0], b * d[1], c * d[2]]) * v.transpose()
}

/// Returns the deviator A − tr A/3.
#[inline(always)]
pub fn deviator<R: Lane>(matrix: &Mat3<R>) -> Mat3<R> {
    matrix.add_diagonal(-matrix.trace() / 3.0)
}

/// Returns the Frobenius norm ‖A‖.
#[inline(always)]
pub fn norm<R: Lane>(matrix: &Mat3<R>) -> R {
    matrix.norm_squared().sqrt()
}
