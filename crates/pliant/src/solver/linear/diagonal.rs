//! Diagonal preconditioners.

use glam::DVec3;

use pliant_kernels::math::Mat3;

use super::conjugate_gradient::Preconditioner;
use super::vectors::{chunk_dot, sum_chunks};

/// One number for every unknown.
pub(super) struct ScalarDiagonal<'a>(pub(super) &'a [f64]);

impl Preconditioner for ScalarDiagonal<'_> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        scale(self.0, r, z);
    }

    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        sum_chunks(z, partial, |first, z| {
            let (w, r) = (&self.0[first..], &r[first..]);
            scale(w, r, z);
            chunk_dot(&r[..z.len()], z)
        })
    }
}

fn scale(w: &[f64], r: &[DVec3], z: &mut [DVec3]) {
    z.iter_mut().zip(w.iter().zip(r)).for_each(|(z, (w, r))| *z = *w * *r);
}

/// One 3×3 block for every unknown.
pub(super) struct BlockDiagonal<'a>(pub(super) &'a [Mat3]);

impl Preconditioner for BlockDiagonal<'_> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        multiply(self.0, r, z);
    }

    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        sum_chunks(z, partial, |first, z| {
            let (w, r) = (&self.0[first..], &r[first..]);
            multiply(w, r, z);
            chunk_dot(&r[..z.len()], z)
        })
    }
}

fn multiply(w: &[Mat3], r: &[DVec3], z: &mut [DVec3]) {
    z.iter_mut().zip(w.iter().zip(r)).for_each(|(z, (w, r))| *z = w.mul_vec((*r).into()).into());
}

/// 1/|d|, or 0 for an inactive unknown, whose diagonal is zero. A negative diagonal does not occur in valid systems;
/// its absolute value keeps the residual from being lost.
pub(super) fn inverse_scalar(d: f64) -> f64 {
    if d == 0.0 { 0.0 } else { 1.0 / d.abs() }
}

/// The inverse of a diagonal block, or of its mean if the block is not positive definite.
pub(super) fn inverse_block(block: &Mat3) -> Mat3 {
    let inverse = block.inverse().symmetric();
    let positive = inverse.at(0, 0) > 0.0 && inverse.at(1, 1) > 0.0 && inverse.at(2, 2) > 0.0;
    let sound = positive && inverse.det() > 0.0 && inverse.norm_squared().is_finite();
    if sound { inverse } else { Mat3::IDENTITY * inverse_scalar(block.trace() / 3.0) }
}
