//! Two bodies that touch.

use glam::DVec3;

use super::Handle;

/// Two bodies that pushed each other in a step; or one that pushed itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// Their places in the world.
    pub(super) places: [u32; 2],
    /// Impulse of all points together on the first, in N·s; the opposite on the second.
    pub impulse: DVec3,
    /// The strongest impulse of a single point, in N·s.
    pub strongest: f64,
    /// Points that touched.
    pub points: usize,
}

impl Meeting {
    pub(super) fn new(places: [u32; 2], impulse: DVec3) -> Self {
        Self { places, impulse, strongest: impulse.length(), points: 1 }
    }

    pub(super) fn add(&mut self, impulse: DVec3) {
        self.impulse += impulse;
        self.strongest = self.strongest.max(impulse.length());
        self.points += 1;
    }

    /// The two bodies.
    pub fn bodies(&self) -> [Handle; 2] {
        self.places.map(|index| Handle { index, generation: 0 })
    }
}
