//! The pseudo-inverse of a small dense matrix.

use pliant_kernels::math::DenseEigen;

/// Eigenvalues of HᵀH below this part of the largest stand for moves that the rows cannot tell apart.
const RANK: f64 = 1e-9;

/// H⁺ = V Λ⁻¹ Vᵀ Hᵀ with HᵀH = V Λ Vᵀ, row by row, of a matrix with so many rows and columns and these entries `(row, column, value)`,
/// which are summed.
pub fn pseudo_inverse(
    rows: usize,
    columns: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> Vec<f64> {
    let mut h = vec![vec![0.0; columns]; rows];
    entries.for_each(|(row, column, value)| h[row][column] += value);
    let dot = |a: usize, b: usize| h.iter().map(|row| row[a] * row[b]).sum();
    let gram = (0..columns).map(|a| (0..columns).map(|b| dot(a, b)).collect()).collect();
    let mut inverse = vec![0.0; columns * rows];
    // Entries that are not finite have no inverse.
    let Some(DenseEigen { values, vectors }) = DenseEigen::new(gram) else { return inverse };
    let most = values.last().copied().unwrap_or(0.0);
    let modes = values.iter().zip(&vectors).filter(|(value, _)| **value > RANK * most);
    for (value, vector) in modes {
        for (k, h) in h.iter().enumerate() {
            let projected: f64 = vector.iter().zip(h).map(|(v, h)| v * h).sum();
            for (column, v) in vector.iter().enumerate() {
                inverse[column * rows + k] += v / value * projected;
            }
        }
    }
    inverse
}
