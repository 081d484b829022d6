//! The rotation of a QR decomposition.

use super::{Lane, Mat3, Vec3};

/// A remainder is only rounding if its squared length, relative to that of its column, is below this.
const ROUNDING: f64 = 1e-28;

/// A column with a squared length below this has no direction.
const TINY: f64 = 1e-200;

/// Returns Q of `F = Q R`: the first column of F keeps its direction, the second its plane.
///
/// Cheaper than the polar rotation and continuous through inversion, but not symmetric in the
/// axes. Where columns vanish or are parallel, unit axes replace them.
#[inline(always)]
pub fn qr_rotation<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let [a, b, _] = f.0;
    let (zero, one) = (a.0[0].zero(), a.0[0].one());
    let tiny = zero.like(TINY);
    let x = unit_or(a, tiny, Vec3([one, zero, zero]));
    let y_axis = remainder(Vec3([zero, one, zero]), x);
    let z_axis = remainder(Vec3([zero, zero, one]), x);
    let fallback = unit_or(y_axis, zero.like(0.25), unit_or(z_axis, tiny, z_axis));
    let limit = (b.dot(b) * ROUNDING).max(tiny);
    let y = unit_or(remainder(b, x), limit, fallback);
    // Orthogonalise twice: the first remainder of nearly parallel columns is not exactly perpendicular.
    let y = unit_or(remainder(y, x), tiny, fallback);
    Mat3([x, y, x.cross(y)])
}

/// `v − x (x·v)`: the part of v perpendicular to the unit vector x.
#[inline(always)]
fn remainder<R: Lane>(v: Vec3<R>, x: Vec3<R>) -> Vec3<R> {
    v - x * x.dot(v)
}

/// `v/|v|`, or `fallback` where |v|² is below `limit`.
#[inline(always)]
fn unit_or<R: Lane>(v: Vec3<R>, limit: R, fallback: Vec3<R>) -> Vec3<R> {
    let length_squared = v.dot(v);
    let scale = length_squared.one() / length_squared.max(limit).sqrt();
    Vec3::if_less(length_squared, limit, fallback, v * scale)
}
