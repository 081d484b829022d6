//! Two bodies that touch.

use glam::DVec3;

use crate::persist::{Reader, SnapshotError, Writer};

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

impl Meeting {
    /// Bytes of one in a snapshot.
    pub(super) const BYTES: usize = 48;

    pub(super) fn save(&self, to: &mut Writer) {
        self.places.iter().for_each(|place| to.u32(*place));
        to.vector(self.impulse);
        to.f64(self.strongest);
        to.u64(self.points as u64);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (places, impulse) = ([from.u32()?, from.u32()?], from.vector()?);
        let (strongest, points) = (from.f64()?, from.u64()? as usize);
        Ok(Self { places, impulse, strongest, points })
    }
}
