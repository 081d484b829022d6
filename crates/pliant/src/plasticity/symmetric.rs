//! Functions of symmetric matrices.

use crate::math::{Mat3, svd};

/// A = V diag(λ) Vᵀ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eigen {
    pub(super) values: [f64; 3],
    pub(super) vectors: Mat3,
}

impl Eigen {
    /// Of a symmetric matrix: a multiple of the unit matrix makes it positive, and its singular values are eigenvalues.
    pub(super) fn of(matrix: &Mat3) -> Self {
        let shift = 2.0 * matrix.norm_squared().sqrt() + f64::MIN_POSITIVE;
        let frame = svd(&matrix.add_diagonal(shift));
        Self { values: frame.sigma.map(|sigma| sigma - shift), vectors: frame.v }
    }

    /// V diag(f(λ)) Vᵀ.
    pub(super) fn map(&self, f: impl Fn(f64) -> f64) -> Mat3 {
        self.vectors * Mat3::diagonal(self.values.map(f)) * self.vectors.transpose()
    }
}

/// A − tr A/3.
pub(super) fn deviator(matrix: &Mat3) -> Mat3 {
    matrix.add_diagonal(-matrix.trace() / 3.0)
}

pub(super) fn norm(matrix: &Mat3) -> f64 {
    matrix.norm_squared().sqrt()
}
