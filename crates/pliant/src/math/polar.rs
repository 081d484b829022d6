//! The rotation nearest to a matrix.

use super::{Lane, Mat3, svd};

/// R of `F = R S`: the rotation nearest to F, also where F is flat or inverted.
#[inline(always)]
pub fn polar_rotation<R: Lane>(f: &Mat3<R>) -> Mat3<R> {
    let s = svd(f);
    s.u * s.v.transpose()
}
