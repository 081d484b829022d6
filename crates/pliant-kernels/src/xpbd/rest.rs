//! The rest data of a pack of cells.

use crate::lanes::{Batch, RestBatch, rest_point};
use crate::math::{Lanes, Mat3, Pack};

/// J⁻¹ and volumes of the quadrature points of a pack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'a, L> {
    lanes: L,
    batch: &'a Batch,
    points: &'a [[Pack; 10]],
}

impl<'a, L: Lanes> Rest<'a, L> {
    #[inline(always)]
    pub(super) fn new(lanes: L, batch: RestBatch<'a>, pack: usize) -> Self {
        Self { lanes, batch: batch.batch(), points: batch.pack_rest(pack) }
    }

    /// Returns ∂ξ/∂X at a point.
    #[inline(always)]
    pub(super) fn inverse(&self, point: usize) -> Mat3<L::Lane> {
        rest_point(self.lanes, self.batch, self.points, point).0
    }

    /// Returns the volume represented by a point, in m³.
    #[inline(always)]
    pub(super) fn volume(&self, point: usize) -> L::Lane {
        rest_point(self.lanes, self.batch, self.points, point).1
    }

    /// Returns V P̃ J⁻ᵀ, the gradient with respect to ∂x/∂ξ of a point, in m³ (stresses are dimensionless here).
    #[inline(always)]
    pub(super) fn pull(&self, stress: &Mat3<L::Lane>, point: usize) -> Mat3<L::Lane> {
        stress.fused_mul(&(self.inverse(point).transpose() * self.volume(point)))
    }

    /// Zero in the width of the lanes.
    #[inline(always)]
    pub(super) fn zero(&self) -> L::Lane {
        self.lanes.splat(0.0)
    }
}
