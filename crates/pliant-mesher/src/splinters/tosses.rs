//! Random numbers that are the same everywhere.

use glam::DVec3;
use pliant::geometry::Aabb;
use pliant::math::SplitMix;

/// A seeded sequence.
#[derive(Debug)]
pub(super) struct Tosses(SplitMix);

impl Tosses {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    /// From 0 to 1.
    pub(super) fn unit(&mut self) -> f64 {
        0.5 * (1.0 + self.0.signed_unit())
    }

    /// From −`reach` to `reach`.
    pub(super) fn signed(&mut self, reach: f64) -> f64 {
        reach * self.0.signed_unit()
    }

    /// Anywhere in a box.
    pub(super) fn point(&mut self, bounds: &Aabb) -> DVec3 {
        let share = DVec3::new(self.unit(), self.unit(), self.unit());
        bounds.low + share * (bounds.high - bounds.low)
    }
}
