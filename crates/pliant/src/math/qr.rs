//! The rotation of a QR decomposition.

use super::{Lane, Mat3, Vec3};

/// Q of `F = Q R`: the first column of F keeps its direction, the second its plane.
///
/// Cheaper than the polar rotation and continuous through inversion, but not symmetric in the
/// axes. Where columns vanish the unit axes stand in.
#[inline(always)]
pub fn qr_rotation<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let [a, b, _] = f.0;
    let (zero, one) = (a.0[0].zero(), a.0[0].one());
    let x = unit_or(a, Vec3([one, zero, zero]));
    let y_axis = Vec3([zero, one, zero]);
    let y_fallback = y_axis - x * x.dot(y_axis);
    let z_axis = Vec3([zero, zero, one]);
    let y_fallback = unit_or(y_fallback, z_axis - x * x.dot(z_axis));
    let y = unit_or(b - x * x.dot(b), y_fallback);
    Mat3([x, y, x.cross(y)])
}

/// `v/|v|`, or `fallback` where v is too short to have a direction.
#[inline(always)]
fn unit_or<R: Lane>(v: Vec3<R>, fallback: Vec3<R>) -> Vec3<R> {
    let length_squared = v.dot(v);
    let limit = length_squared.like(1e-200);
    let scale = length_squared.one() / length_squared.max(limit).sqrt();
    Vec3::if_less(length_squared, limit, fallback, v * scale)
}
