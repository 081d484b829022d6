//! How F is read from the nodes of a cell, and how what pulls at it goes back to them.

use std::fmt::Debug;

use crate::force::{apply_constant, reference_gradient};
use crate::math::{Lanes, Mat3, Vec3};

use super::rest::Rest;

/// The map from nodes to F at quadrature points, and its transpose.
pub(super) trait Gradients<const N: usize>: Copy + Debug + Sync {
    /// F at the points from `start` on of a cell with nodes `x`.
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    );

    /// Adds to `g` what the stresses of the points from `start` on pull at the nodes, times their volumes:
    /// the transpose of [`Gradients::at`]. The first points begin the sum.
    fn pull<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        g: &mut [Vec3<L::Lane>; N],
        start: usize,
        stresses: &[Mat3<L::Lane>],
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
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        rest: &Rest<'_, L>,
        x: &[Vec3<L::Lane>; N],
        start: usize,
        f: &mut [Mat3<L::Lane>],
    ) {
        for (k, f) in f.iter_mut().enumerate() {
            *f = reference_gradient(x, &self.tables[start + k]) * rest.inverse(start + k);
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
            let (h, table) = (rest.pull(stress, start + k), &self.tables[start + k]);
            for a in 0..N {
                g[a] += apply_constant(&h, &table[a]);
            }
        }
    }
}
