//! Two bodies that were put inside each other, on their way apart.

use glam::DVec3;

use crate::contact::{Collider, Contact, OverlapRecovery, WayApart, points_inside};
use crate::persist::{Reader, SnapshotError, Writer};

/// Two bodies that part, because one was put deep inside the other.
///
/// How deep a point is inside, and the nearest way out, say nothing there: vertices on both sides of the middle would be pushed to both sides, and the
/// bodies lock. So there are no contact forces between the two. Instead both move as wholes, one along the way and one against it, at a bounded
/// speed: this strains nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WayOut {
    /// Unit vector along which the first body moves.
    pub(crate) way: DVec3,
    /// The speed of the first body relative to the second, in m/s.
    speed: f64,
    /// The relative speed that they were given in the last step, in m/s.
    given: f64,
}

/// The longest time in which bodies part, in s: deep ones move faster.
const LONGEST: f64 = 1.0;

impl WayOut {
    /// Bytes of a parting in a snapshot.
    pub(crate) const BYTES: usize = 40;

    /// Begins to part two surfaces, if they are deep inside each other; also returns the length of the way, in m. Adds their points inside
    /// each other to the empty list `contacts`.
    pub(crate) fn begin(
        first: &Collider,
        second: &Collider,
        recovery: OverlapRecovery,
        contacts: &mut Vec<Contact>,
    ) -> Option<(Self, f64)> {
        let way = WayApart::of(first, second)?;
        points_inside(first, second, way.direction, contacts);
        let speed = recovery.speed.max(way.length / LONGEST);
        let parting = Self { way: way.direction, speed, given: 0.0 };
        way.leads_out_of(contacts).then_some((parting, way.length))
    }

    /// The change of the relative speed of bodies that part at `speed` now, in m/s. Friction may have slowed them down in the last step: they get as
    /// much more.
    pub(crate) fn missing_speed(&mut self, speed: f64) -> f64 {
        let lost = (self.given - speed).clamp(0.0, self.speed);
        let wanted = self.speed + lost;
        self.given = wanted.max(speed);
        wanted - speed
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        to.vector(self.way);
        to.f64(self.speed);
        to.f64(self.given);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (way, speed, given) = (from.vector()?, from.f64()?, from.f64()?);
        let is_sound = way.is_normalized() && speed.is_finite() && given.is_finite();
        if is_sound { Ok(Self { way, speed, given }) } else { Err(from.bad("a way apart")) }
    }
}
