//! Eigenvalue decomposition of a symmetric matrix of any size.

/// Largest number of sweeps of Jacobi's method; six to ten are enough for matrices of up to a hundred rows.
const SWEEPS: usize = 40;

/// An off-diagonal entry below this fraction of the norm of the matrix counts as zero.
const ZERO_OFF_DIAGONAL: f64 = 1e-17;

/// The decomposition `A = V diag(λ) Vᵀ` with orthonormal columns V, by Jacobi's method (1846).
///
/// For matrices of up to a few hundred rows that are decomposed rarely: the cost grows with the cube of the size.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseEigen {
    /// Eigenvalues λ, ascending.
    pub values: Vec<f64>,
    /// The eigenvector of each eigenvalue.
    pub vectors: Vec<Vec<f64>>,
}

impl DenseEigen {
    /// Decomposes a symmetric matrix, given by its rows. `None` if an entry is not finite.
    pub fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        let size = rows.len();
        let squared: f64 = rows.iter().flatten().map(|entry| entry * entry).sum();
        if !squared.is_finite() {
            return None;
        }
        let none = ZERO_OFF_DIAGONAL * squared.sqrt();
        let mut vectors: Vec<Vec<f64>> = vec![vec![0.0; size]; size];
        (0..size).for_each(|k| vectors[k][k] = 1.0);
        for _ in 0..SWEEPS {
            let mut is_done = true;
            for p in 0..size {
                for q in p + 1..size {
                    if rows[p][q].abs() > none {
                        is_done = false;
                        rotate(&mut rows, &mut vectors, p, q);
                    }
                }
            }
            if is_done {
                break;
            }
        }
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| rows[*a][*a].total_cmp(&rows[*b][*b]));
        let values = order.iter().map(|k| rows[*k][*k]).collect();
        let vectors = order.iter().map(|k| std::mem::take(&mut vectors[*k])).collect();
        Some(Self { values, vectors })
    }
}

/// Rotates the plane of two axes so that the entry between them becomes zero.
fn rotate(rows: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    // t = tan of the smaller angle that solves t² + 2ζt − 1 = 0, ζ = (a_qq − a_pp)/2a_pq.
    let zeta = (rows[q][q] - rows[p][p]) / (2.0 * rows[p][q]);
    let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let c = t.hypot(1.0).recip();
    let s = c * t;
    for row in rows.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for list in [rows, vectors] {
        let (before, after) = list.split_at_mut(q);
        for (x, y) in before[p].iter_mut().zip(&mut after[0]) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
}
