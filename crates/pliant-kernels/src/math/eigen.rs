//! Eigenvalue decomposition of a symmetric 3×3 matrix.

use super::{Lane, Mat3};

/// The decomposition `A = V diag(λ) Vᵀ` with a rotation V. The eigenvalues are not sorted.
#[derive(Debug, Clone, Copy)]
pub struct Eigen<R = f64> {
    /// Eigenvalues λ.
    pub values: [R; 3],
    /// Eigenvectors V, one column per eigenvalue.
    pub vectors: Mat3<R>,
}

/// Largest number of sweeps of Jacobi's method; three or four are enough.
const SWEEPS: usize = 6;

/// An off-diagonal entry counts as zero if its square is below this fraction of ‖A‖².
const ZERO_OFF_DIAGONAL: f64 = 1e-34;

/// Computes the eigenvalues and eigenvectors of a symmetric matrix by Jacobi's method (1846): each rotation zeroes
/// one off-diagonal entry.
///
/// Stops as soon as all lanes have converged. A converged lane is not rotated any more, so its result does not depend
/// on the other lanes.
#[inline(always)]
pub fn symmetric_eigen<R: Lane>(matrix: &Mat3<R>) -> Eigen<R> {
    let one = matrix.at(0, 0).one();
    let none = matrix.norm_squared() * ZERO_OFF_DIAGONAL;
    let (mut a, mut v) = (*matrix, Mat3::diagonal([one; 3]));
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut v, p, q, none);
        }
        let off = [a.at(0, 1), a.at(0, 2), a.at(1, 2)];
        if !none.any_less(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) {
            break;
        }
    }
    Eigen { values: [a.at(0, 0), a.at(1, 1), a.at(2, 2)], vectors: v }
}

/// Rotates the plane of two axes so that the entry between them becomes zero.
#[inline(always)]
fn rotate<R: Lane>(a: &mut Mat3<R>, v: &mut Mat3<R>, p: usize, q: usize, none: R) {
    let r = 3 - p - q;
    let (between, one, zero) = (a.at(p, q), none.one(), none.zero());
    let squared = between * between;
    // t = tan of the smaller angle that solves t² + 2ζt − 1 = 0, ζ = (a_qq − a_pp)/2a_pq.
    let zeta = (a.at(q, q) - a.at(p, p)) / (none.if_less(squared, between, one) * 2.0);
    let t = zeta.if_less(zero, -one, one) / (zeta.abs() + (zeta * zeta + 1.0).sqrt());
    let t = none.if_less(squared, t, zero);
    let c = one / (t * t + 1.0).sqrt();
    let s = c * t;
    let moved = t * between;
    a.0[p].0[p] = a.at(p, p) - moved;
    a.0[q].0[q] = a.at(q, q) + moved;
    let left = none.if_less(squared, zero, between);
    (a.0[p].0[q], a.0[q].0[p]) = (left, left);
    let (x, y) = (a.at(r, p), a.at(r, q));
    let (to_p, to_q) = (x * c - y * s, x * s + y * c);
    (a.0[p].0[r], a.0[r].0[p]) = (to_p, to_p);
    (a.0[q].0[r], a.0[r].0[q]) = (to_q, to_q);
    let (x, y) = (v.0[p], v.0[q]);
    v.0[p] = x * c - y * s;
    v.0[q] = x * s + y * c;
}
