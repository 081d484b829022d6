//! Random numbers, the same on every machine.

use glam::DVec3;
use pliant_kernels::math::SplitMix;
use pliant_mesh::geometry::Aabb;

/// A seeded random sequence.
#[derive(Debug)]
pub(super) struct RandomSequence(SplitMix);

impl RandomSequence {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    /// A number from 0 to 1.
    pub(super) fn unit(&mut self) -> f64 {
        0.5 * (1.0 + self.0.signed_unit())
    }

    /// A number from −`reach` to `reach`.
    pub(super) fn signed(&mut self, reach: f64) -> f64 {
        reach * self.0.signed_unit()
    }

    /// A point in a box.
    pub(super) fn point(&mut self, bounds: &Aabb) -> DVec3 {
        let share = DVec3::new(self.unit(), self.unit(), self.unit());
        bounds.low + share * (bounds.high - bounds.low)
    }
}
