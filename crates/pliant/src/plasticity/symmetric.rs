//! Functions of symmetric matrices, in lanes.

use crate::math::{Lane, Lanes, Mat3, Svd, svd};

/// Singular values. Not inlined: it is compiled once, not wherever it is asked for.
#[inline(never)]
pub(super) fn decomposed<L: Lanes>(lanes: L, matrix: &Mat3<L::Lane>) -> Svd<L::Lane> {
    lanes.run(
        #[inline(always)]
        || svd(matrix),
    )
}

/// A = V diag(λ) Vᵀ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eigen<R> {
    values: [R; 3],
    vectors: Mat3<R>,
}

impl<R: Lane> Eigen<R> {
    /// Of a symmetric matrix: a multiple of the unit matrix makes it positive, and its singular values are eigenvalues.
    #[inline(always)]
    pub(super) fn of<L: Lanes<Lane = R>>(lanes: L, matrix: &Mat3<R>) -> Self {
        let shift = norm(matrix) * 2.0 + f64::MIN_POSITIVE;
        let frame = decomposed(lanes, &matrix.add_diagonal(shift));
        let [a, b, c] = frame.sigma;
        Self { values: [a - shift, b - shift, c - shift], vectors: frame.v }
    }

    /// exp(s A).
    #[inline(always)]
    pub(super) fn exp(&self, s: R) -> Mat3<R> {
        let [a, b, c] = self.values;
        spread(&self.vectors, [(s * a).exp(), (s * b).exp(), (s * c).exp()], &self.vectors)
    }
}

/// U diag(d) Vᵀ.
#[inline(always)]
pub(super) fn spread<R: Lane>(u: &Mat3<R>, d: [R; 3], v: &Mat3<R>) -> Mat3<R> {
    let [a, b, c] = u.0;
    Mat3([a * d[0], b * d[1], c * d[2]]) * v.transpose()
}

/// A − tr A/3.
#[inline(always)]
pub(super) fn deviator<R: Lane>(matrix: &Mat3<R>) -> Mat3<R> {
    matrix.add_diagonal(-matrix.trace() / 3.0)
}

#[inline(always)]
pub(super) fn norm<R: Lane>(matrix: &Mat3<R>) -> R {
    matrix.norm_squared().sqrt()
}
