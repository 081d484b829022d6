//! The map from nodes to F, and its transpose.

use std::fmt::Debug;

use crate::lanes::{Batch, add_gradients, gradients};
use crate::math::{Lanes, Mat3, Vec3};

use super::rest::Rest;

/// The map from nodes to F at quadrature points, and its transpose.
pub(super) trait Gradients<const N: usize>: Copy + Debug + Sync {
    /// Computes F at the points from `start` on, for a cell with nodes `x`.
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    );

    /// Adds the nodal gradients of the stresses at the points from `start` on, times their volumes, to `g`: the
    /// transpose of [`Gradients::at`]. `start` = 0 first sets `g` to zero.
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        g: &mut [Vec3<L::Lane>; N],
        start: usize,
        stresses: &[Mat3<L::Lane>],
    );
}

/// Gradients of any cell at any points.
#[derive(Debug, Clone, Copy)]
pub(super) struct AnyPoints<'a> {
    batch: &'a Batch,
}

impl<'a> AnyPoints<'a> {
    pub(super) fn new(batch: &'a Batch) -> Self {
        Self { batch }
    }
}

impl<const N: usize> Gradients<N> for AnyPoints<'_> {
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        gradients((self.batch, N), x, start, f);
        for (k, f) in f.iter_mut().enumerate() {
            *f = f.fused_mul(&rest.inverse(start + k));
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        g: &mut [Vec3<L::Lane>; N],
        start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        if start == 0 {
            *g = [Vec3([rest.zero(); 3]); N];
        }
        for (k, stress) in stresses.iter().enumerate() {
            add_gradients((self.batch, N), start + k, &[rest.pull(stress, start + k)], g);
        }
    }
}
