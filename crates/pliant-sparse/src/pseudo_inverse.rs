//! The pseudo-inverse of a small dense matrix.

use faer::{Mat, Side};

/// Eigenvalues of HᵀH below this part of the largest stand for moves that the rows cannot tell apart.
const RANK: f64 = 1e-9;

/// H⁺ = V Λ⁻¹ Vᵀ Hᵀ with HᵀH = V Λ Vᵀ, row by row, of a matrix with so many rows and columns and these entries `(row, column, value)`,
/// which are summed.
pub fn pseudo_inverse(
    rows: usize,
    columns: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> Vec<f64> {
    let mut h = Mat::<f64>::zeros(rows, columns);
    entries.for_each(|(row, column, value)| h[(row, column)] += value);
    inverted(&h)
}

fn inverted(h: &Mat<f64>) -> Vec<f64> {
    let (k, m) = (h.nrows(), h.ncols());
    let mut inverse = vec![0.0; m * k];
    let gram = h.transpose() * h;
    // Of finite entries there always is a decomposition; of others nothing follows.
    let Ok(eigen) = gram.self_adjoint_eigen(Side::Lower) else { return inverse };
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let most = (0..m).map(|i| values[i]).fold(0.0, f64::max);
    let projected = vectors.transpose() * h.transpose();
    for mode in (0..m).filter(|mode| values[*mode] > RANK * most) {
        for row in 0..m {
            for column in 0..k {
                inverse[row * k + column] +=
                    vectors[(row, mode)] / values[mode] * projected[(mode, column)];
            }
        }
    }
    inverse
}
