//! Singular value decomposition of a 3×3 matrix.

use super::{Lane, Mat3, Vec3};

/// The decomposition `F = U Σ Vᵀ` with rotations U and V.
///
/// The singular values are sorted, |σ₁| ≥ |σ₂| ≥ |σ₃|, and the smallest carries the sign of det F, so that an
/// inverted cell is inverted along its thinnest direction (Irving et al. 2004).
#[derive(Debug, Clone, Copy)]
pub struct Svd<R = f64> {
    /// Left rotation U.
    pub u: Mat3<R>,
    /// Singular values σ.
    pub sigma: [R; 3],
    /// Right rotation V.
    pub v: Mat3<R>,
}

/// Largest number of sweeps of one-sided Jacobi: a 3×3 matrix converges to rounding after three to five.
const SWEEPS: usize = 5;

/// Squared cosine of the angle between two columns, below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-34;

/// Computes the singular value decomposition without branches.
///
/// One-sided Jacobi (Hestenes 1958): columns of A = F V are rotated pairwise until they are orthogonal. It never
/// forms FᵀF, so small singular values keep their digits. Entries must be below 1e75 in magnitude and count as zero
/// below 1e-75, both far outside any deformation.
#[inline(always)]
pub fn svd<R: Lane>(f: &Mat3<R>) -> Svd<R> {
    let one = f.at(0, 0).one();
    let mut a = *f;
    let mut v = Mat3::diagonal([one; 3]);
    for _ in 0..SWEEPS {
        let mut turns = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            turns |= orthogonalise(&mut a, &mut v, p, q);
        }
        // Another sweep would not change any lane.
        if !turns {
            break;
        }
    }
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        sort_columns(&mut a, &mut v, p, q);
    }
    let u = left_rotation(&a);
    let sigma = [u.0[0].dot(a.0[0]), u.0[1].dot(a.0[1]), u.0[2].dot(a.0[2])];
    Svd { u, sigma, v }
}

/// Rotates columns `p` and `q` of `a` and `v` so that those of `a` become orthogonal; false if they are, in all lanes.
#[inline(always)]
fn orthogonalise<R: Lane>(a: &mut Mat3<R>, v: &mut Mat3<R>, p: usize, q: usize) -> bool {
    let (alpha, beta) = (a.0[p].dot(a.0[p]), a.0[q].dot(a.0[q]));
    let gamma = a.0[p].dot(a.0[q]);
    let (one, zero) = (gamma.one(), gamma.zero());
    let settled = alpha * beta * ORTHOGONAL;
    let gamma_squared = gamma * gamma;
    if !settled.any_less(gamma_squared) {
        return false;
    }
    // t = tan of the smaller angle that solves t² + 2ζt − 1 = 0, ζ = (β − α)/2γ.
    let zeta = (beta - alpha) / (gamma_squared.if_less(settled, one, gamma) * 2.0);
    let root = zeta.abs() + (zeta * zeta + 1.0).sqrt();
    let t = zeta.if_less(zero, -one, one) / root;
    // The condition is also false, so nothing is rotated, where a column is zero and γ² = settled = 0.
    let t = settled.if_less(gamma_squared, t, zero);
    let c = one / (t * t + 1.0).sqrt();
    let s = c * t;
    rotate_columns(a, p, q, c, s);
    rotate_columns(v, p, q, c, s);
    true
}

/// `(m_p, m_q) ← (c m_p − s m_q, s m_p + c m_q)`.
#[inline(always)]
fn rotate_columns<R: Lane>(m: &mut Mat3<R>, p: usize, q: usize, c: R, s: R) {
    let (x, y) = (m.0[p], m.0[q]);
    m.0[p] = x * c - y * s;
    m.0[q] = x * s + y * c;
}

/// Puts the longer of two columns first; one changes sign, so that V stays a rotation.
#[inline(always)]
fn sort_columns<R: Lane>(a: &mut Mat3<R>, v: &mut Mat3<R>, p: usize, q: usize) {
    let (alpha, beta) = (a.0[p].dot(a.0[p]), a.0[q].dot(a.0[q]));
    for m in [a, v] {
        let (x, y) = (m.0[p], m.0[q]);
        m.0[p] = Vec3::if_less(alpha, beta, y, x);
        m.0[q] = Vec3::if_less(alpha, beta, -x, y);
    }
}

/// The rotation whose columns point along the sorted orthogonal columns of `a`, completed where
/// they vanish.
#[inline(always)]
fn left_rotation<R: Lane>(a: &Mat3<R>) -> Mat3<R> {
    let zero = a.at(0, 0).zero();
    let tiny = zero.like(f64::MIN_POSITIVE);
    let ex = Vec3([zero.one(), zero, zero]);
    let largest = a.0[0].dot(a.0[0]);
    let first = normalised_or(a.0[0], largest, tiny, ex);
    // A second column below the rounding error of the first has no direction of its own.
    let second = a.0[1] - first * first.dot(a.0[1]);
    let limit = (largest * 1e-30).max(tiny);
    let second = normalised_or(second, second.dot(second), limit, perpendicular(first));
    Mat3([first, second, first.cross(second)])
}

/// `v/|v|`, or `fallback` where `length_squared < limit`.
#[inline(always)]
fn normalised_or<R: Lane>(v: Vec3<R>, length_squared: R, limit: R, fallback: Vec3<R>) -> Vec3<R> {
    let safe = length_squared.max(limit);
    Vec3::if_less(length_squared, limit, fallback, v * (safe.one() / safe.sqrt()))
}

/// A unit vector perpendicular to the unit vector `n` (Duff et al. 2017).
#[inline(always)]
fn perpendicular<R: Lane>(n: Vec3<R>) -> Vec3<R> {
    let [x, y, z] = n.0;
    let (zero, one) = (z.zero(), z.one());
    let sign = z.if_less(zero, -one, one);
    let a = -one / (sign + z);
    Vec3([one + sign * x * x * a, sign * x * y * a, -sign * x])
}
