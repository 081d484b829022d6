//! Two bodies in contact.

use glam::DVec3;

use crate::persist::{Reader, SnapshotError, Writer};
use crate::world::slot::handle::BodyHandle;
use crate::world::slot::slots::Slots;

/// Two bodies with contact forces between them in a step, or one in contact with itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPair {
    bodies: [BodyHandle; 2],
    /// The impulse of all points together on the first body, in N·s; the second takes the opposite one.
    pub impulse: DVec3,
    /// The strongest impulse of a single point, in N·s.
    pub strongest: f64,
    /// The number of contact points.
    pub points: usize,
}

impl ContactPair {
    pub(crate) fn new(bodies: [BodyHandle; 2], impulse: DVec3) -> Self {
        Self { bodies, impulse, strongest: impulse.length(), points: 1 }
    }

    /// The indices of the two bodies.
    pub(crate) fn indices(&self) -> [u32; 2] {
        self.bodies.map(|body| body.index)
    }

    pub(crate) fn add(&mut self, impulse: DVec3) {
        self.impulse += impulse;
        self.strongest = self.strongest.max(impulse.length());
        self.points += 1;
    }

    /// The two bodies.
    pub fn bodies(&self) -> [BodyHandle; 2] {
        self.bodies
    }
}

impl ContactPair {
    /// Bytes of a pair in a snapshot.
    pub(crate) const BYTES: usize = 48;

    pub(crate) fn save(&self, to: &mut Writer) {
        self.indices().iter().for_each(|index| to.u32(*index));
        to.vector(self.impulse);
        to.f64(self.strongest);
        to.u64(self.points as u64);
    }

    pub(crate) fn read(slots: &Slots, from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (indices, impulse) = ([from.u32()?, from.u32()?], from.vector()?);
        let (strongest, points) = (from.f64()?, from.u64()? as usize);
        Ok(Self { bodies: indices.map(|index| slots.handle(index)), impulse, strongest, points })
    }
}
