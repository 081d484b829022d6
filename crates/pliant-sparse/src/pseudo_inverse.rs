//! The pseudo-inverse of a small dense matrix.

use pliant_kernels::math::DenseEigen;

/// Eigenvalues of HᵀH below this fraction of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-9;

/// Returns the pseudo-inverse H⁺ = V Λ⁻¹ Vᵀ Hᵀ with HᵀH = V Λ Vᵀ, row by row.
///
/// H has `rows` rows and `columns` columns; entries `(row, column, value)` are summed. Zero if an entry is not
/// finite.
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
    // There is no decomposition if an entry is not finite.
    let Some(DenseEigen { values, vectors }) = DenseEigen::new(gram) else { return inverse };
    let most = values.last().copied().unwrap_or(0.0);
    let modes = values.iter().zip(&vectors).filter(|(value, _)| **value > RANK_TOLERANCE * most);
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
