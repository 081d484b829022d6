//! How F is read from the nodes of a cell, and how what pulls at it goes back to them.

use std::fmt::Debug;

use crate::force::{apply_constant, reference_gradient};
use crate::math::{Lane, Lanes, Mat3, Vec3};

use super::rest::Rest;

/// The map from nodes to F at quadrature points, and its transpose, by way of a space between.
pub(super) trait Gradients<const N: usize>: Copy + Debug + Sync {
    /// What F at all points is read from.
    type Space<R: Lane>: Copy;

    /// Nothing.
    fn zero<R: Lane>(&self, zero: R) -> Self::Space<R>;

    /// What F of a cell with these nodes is read from.
    fn lift<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        space: &mut Self::Space<L::Lane>,
    );

    /// F at the points from `start` on.
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &Self::Space<L::Lane>,
        start: usize,
        f: &mut [Mat3<L::Lane>],
    );

    /// Adds what the stresses of the points from `start` on pull, times their volumes: the transpose of
    /// [`Gradients::at`]. The first points begin the sum.
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &mut Self::Space<L::Lane>,
        start: usize,
        stresses: &[Mat3<L::Lane>],
    );

    /// What then pulls at the nodes: the transpose of [`Gradients::lift`].
    fn lower<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &Self::Space<L::Lane>,
        sums: &mut [Vec3<L::Lane>; N],
    );
}

/// Gradients of any cell: a table for every node and point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direct<'a, const N: usize> {
    /// ∂Bₐ/∂ξ at every point.
    tables: &'a [[[f64; 3]; N]],
}

impl<'a, const N: usize> Direct<'a, N> {
    pub(super) fn new(gradients: &'a [[f64; 3]]) -> Self {
        Self { tables: gradients.as_chunks().0 }
    }
}

impl<const N: usize> Gradients<N> for Direct<'_, N> {
    type Space<R: Lane> = [Vec3<R>; N];

    #[inline(always)]
    fn zero<R: Lane>(&self, zero: R) -> [Vec3<R>; N] {
        [Vec3([zero; 3]); N]
    }

    #[inline(always)]
    fn lift<L: Lanes>(
        &self,
        _rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        space: &mut [Vec3<L::Lane>; N],
    ) {
        *space = *x;
    }

    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        for (k, f) in f.iter_mut().enumerate() {
            *f = reference_gradient(space, &self.tables[start + k]) * rest.inverse(start + k);
        }
    }

    #[inline(always)]
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        space: &mut [Vec3<L::Lane>; N],
        start: usize,
        stresses: &[Mat3<L::Lane>],
    ) {
        if start == 0 {
            *space = self.zero(rest.zero());
        }
        for (k, stress) in stresses.iter().enumerate() {
            let (h, table) = (rest.pull(stress, start + k), &self.tables[start + k]);
            for a in 0..N {
                space[a] += apply_constant(&h, &table[a]);
            }
        }
    }

    #[inline(always)]
    fn lower<L: Lanes>(
        &self,
        _rest: &Rest<'_, L>,
        space: &[Vec3<L::Lane>; N],
        sums: &mut [Vec3<L::Lane>; N],
    ) {
        *sums = *space;
    }
}
