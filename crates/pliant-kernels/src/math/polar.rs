//! The rotation nearest to a matrix.

use super::{Lane, Mat3, Vec3, svd};

/// Steps of Newton's method after which singular values decide. Stretches between 1/3 and 3 take six.
const MOST_STEPS: usize = 8;

/// ‖change‖² of a step after which the next one changes nothing but rounding: errors are squared.
const SETTLED: f64 = 1e-17;

/// R of `F = R S`: the rotation nearest to F, also where F is flat or inverted.
///
/// Newton's method for RᵀR = I from F itself, for those whose determinant is positive (Higham 1986):
///
/// ```text
/// R ← ½ (R + R⁻ᵀ)        every singular value σ ← ½ (σ + 1/σ)
/// ```
///
/// What is not there after a few steps, being flat or inside out, takes the singular values.
#[inline(always)]
pub fn polar_rotation<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let zero = f.at(0, 0).zero();
    let (half, settled) = (zero.like(0.5), zero.like(SETTLED));
    let mut rotation = *f;
    let mut open = zero.one();
    for _ in 0..MOST_STEPS {
        let cofactor = rotation.cofactor();
        let det = rotation.0[0].dot(cofactor.0[0]);
        let next = rotation * half + cofactor * (half / det);
        let change = (next - rotation).norm_squared();
        // A lane that is there moves no further, so that it does not matter who waits for whom. Nor does one with a negative
        // determinant: it stays open.
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

/// Turns after which a guess is given up. From the rotation of the last step two or three do.
const MOST_TURNS: usize = 6;

/// Twice the skew part of RᵀF, squared and relative to ‖F‖², that counts as none.
const CONVERGED: f64 = 1e-24;

/// R of `F = R S` from a guess, such as the rotation of the last step. For matrices with a positive
/// determinant; the guess is a rotation up to rounding.
///
/// Newton's method on the condition that S = RᵀF be symmetric: with Y its symmetric and a twice its
/// skew part (as a vector), the turn ω that makes it so to first order solves
///
/// ```text
/// (tr Y I − Y) ω = a        R ← R exp ω
/// ```
///
/// The matrix has no negative direction at the nearest rotation and some at every other stationary
/// one, which is how a guess that led astray is noticed; the singular values then decide.
#[inline(always)]
pub fn polar_rotation_from<R: Lane>(f: &Mat3<R>, guess: &Mat3<R>) -> Mat3<R> {
    let zero = f.at(0, 0).zero();
    let limit = f.norm_squared() * CONVERGED;
    let mut rotation = orthonormalised(guess);
    let mut failed = zero.one();
    for _ in 0..MOST_TURNS {
        let s = rotation.transpose() * *f;
        let skew =
            Vec3([s.at(2, 1) - s.at(1, 2), s.at(0, 2) - s.at(2, 0), s.at(1, 0) - s.at(0, 1)]);
        let matrix = (s.symmetric() * -zero.one()).add_diagonal(s.trace());
        let size = skew.dot(skew);
        let cofactor = matrix.cofactor();
        let det = matrix.0[0].dot(cofactor.0[0]);
        // A lane that has converged turns no further, so that it does not matter who waits for whom.
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

/// The least of three.
#[inline(always)]
fn least<R: Lane>(a: R, b: R, c: R) -> R {
    a.min(b).min(c)
}

/// One step of Newton's method towards the nearest orthonormal matrix: keeps rounding from piling up
/// over many steps.
#[inline(always)]
fn orthonormalised<R: Lane>(r: &Mat3<R>) -> Mat3<R> {
    let half = r.at(0, 0).like(-0.5);
    *r * ((r.transpose() * *r) * half).add_diagonal(r.at(0, 0).like(1.5))
}

/// A rotation by nearly `turn` (its axis, its angle to third order): that of the quaternion (1, ω/2).
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
