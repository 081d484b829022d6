//! Polar decomposition: the rotation nearest to a matrix.

use super::{Lane, Mat3, Vec3, svd};

/// Largest number of Newton steps before the SVD is used. Stretches between 1/3 and 3 need six.
const MAX_NEWTON_STEPS: usize = 8;

/// Squared norm of a step after which the next one changes only rounding, because convergence is quadratic.
const CONVERGED_STEP_SQUARED: f64 = 1e-17;

/// Returns R of `F = R S`: the rotation nearest to F, also where F is flat or inverted.
///
/// Newton's method for RᵀR = I, starting from F itself, for matrices with a positive determinant (Higham 1986):
///
/// ```text
/// R ← ½ (R + R⁻ᵀ)        every singular value σ ← ½ (σ + 1/σ)
/// ```
///
/// Lanes that do not converge after a few steps, because F is flat or inverted, use the SVD.
#[inline(always)]
pub fn polar_rotation<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let zero = f.at(0, 0).zero();
    let (half, settled) = (zero.like(0.5), zero.like(CONVERGED_STEP_SQUARED));
    let mut rotation = *f;
    let mut open = zero.one();
    for _ in 0..MAX_NEWTON_STEPS {
        let cofactor = rotation.cofactor();
        let det = rotation.0[0].dot(cofactor.0[0]);
        let next = rotation * half + cofactor * (half / det);
        let change = (next - rotation).norm_squared();
        // A converged lane is not updated any more, so its result does not depend on the other lanes. A lane with a
        // negative determinant is not updated either: it stays open and uses the SVD.
        let moves = zero.if_less(det, open, zero);
        rotation = Mat3::if_less(half, moves, next, rotation);
        open = change.if_less(settled, open - moves, open);
        if open.all_less(half) {
            return rotation;
        }
    }
    Mat3::if_less(open, half, rotation, rotation_by_svd(f))
}

/// R = U Vᵀ.
#[inline(always)]
fn rotation_by_svd<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let s = svd(f);
    s.u * s.v.transpose()
}

/// Largest number of Newton steps from a guess. From the rotation of the last time step two or three are enough.
const MAX_STEPS_FROM_GUESS: usize = 6;

/// Squared norm of twice the skew part of RᵀF, relative to ‖F‖², that counts as zero.
const CONVERGED_SKEW_SQUARED: f64 = 1e-24;

/// Returns R of `F = R S`, starting from a guess such as the rotation of the last step. For matrices with a positive
/// determinant; the guess must be a rotation up to rounding.
///
/// Newton's method on the condition that S = RᵀF is symmetric. With Y its symmetric part and a twice its skew part
/// (as a vector), the rotation vector ω that makes it symmetric to first order solves
///
/// ```text
/// (tr Y I − Y) ω = a        R ← R exp ω
/// ```
///
/// The matrix is positive definite at the nearest rotation and has a negative eigenvalue at every other stationary
/// point, so convergence to a wrong rotation is detected; the SVD is used then. Derived here.
#[inline(always)]
pub fn polar_rotation_from<R: Lane>(f: &Mat3<R>, guess: &Mat3<R>) -> Mat3<R> {
    let zero = f.at(0, 0).zero();
    let limit = f.norm_squared() * CONVERGED_SKEW_SQUARED;
    let mut rotation = orthonormalised(guess);
    let mut failed = zero.one();
    for _ in 0..MAX_STEPS_FROM_GUESS {
        let s = rotation.transpose() * *f;
        let skew =
            Vec3([s.at(2, 1) - s.at(1, 2), s.at(0, 2) - s.at(2, 0), s.at(1, 0) - s.at(0, 1)]);
        let matrix = (s.symmetric() * -zero.one()).add_diagonal(s.trace());
        let size = skew.dot(skew);
        let cofactor = matrix.cofactor();
        let det = matrix.0[0].dot(cofactor.0[0]);
        // A converged lane is not rotated any more, so its result does not depend on the other lanes.
        let settled = size.if_less(limit, zero.one(), zero);
        let positive = least(matrix.at(0, 0), cofactor.at(2, 2), det);
        failed = zero.if_less(positive, zero.one() - settled, zero.one());
        if failed.all_less(zero.like(0.5)) {
            break;
        }
        let turn = cofactor.mul_vec(skew) * (zero.one() / det);
        let turn = Vec3::if_less(settled, zero.like(0.5), turn, Vec3([zero; 3]));
        rotation = rotation * rotation_of(turn);
    }
    if failed.all_less(zero.like(0.5)) {
        return rotation;
    }
    Mat3::if_less(failed, zero.like(0.5), rotation, rotation_by_svd(f))
}

/// The smallest of three values.
#[inline(always)]
fn least<R: Lane>(a: R, b: R, c: R) -> R {
    a.min(b).min(c)
}

/// One Newton–Schulz step towards the nearest orthonormal matrix, so that rounding errors do not accumulate over many
/// steps.
#[inline(always)]
fn orthonormalised<R: Lane>(r: &Mat3<R>) -> Mat3<R> {
    let half = r.at(0, 0).like(-0.5);
    *r * ((r.transpose() * *r) * half).add_diagonal(r.at(0, 0).like(1.5))
}

/// The rotation of the quaternion (1, ω/2): its axis is that of `turn`, its angle agrees to third order.
#[inline(always)]
fn rotation_of<R: Lane>(turn: Vec3<R>) -> Mat3<R> {
    let one = turn.0[0].one();
    let [x, y, z] = (turn * one.like(0.5)).0;
    let scale = one.like(2.0) / (one + x * x + y * y + z * z);
    let [sx, sy, sz] = [x * scale, y * scale, z * scale];
    Mat3([
        Vec3([one - (y * sy + z * sz), x * sy + sz, x * sz - sy]),
        Vec3([x * sy - sz, one - (x * sx + z * sz), y * sz + sx]),
        Vec3([x * sz + sy, y * sz - sx, one - (x * sx + y * sy)]),
    ])
}
