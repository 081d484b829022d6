//! Whether a body sleeps, and for how long it has been still.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The sleep of one body: whether it is asleep, and for how many steps it has been still.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SleepState {
    /// Consecutive steps in which the body was still.
    still: u32,
    /// The positions of its nodes after the first of these steps, in m.
    places: Vec<DVec3>,
    asleep: bool,
    /// Bodies that fell asleep together have the same number, and wake together.
    group: u32,
}

/// What counts as still.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StillLimits {
    /// Nodes that are not faster than this are still, in m/s.
    pub(crate) speed: f64,
    /// Nodes that stay as near as this to their place are still, too, in m, unless they are faster than `trembling`.
    pub(crate) distance: f64,
    /// In m/s.
    pub(crate) trembling: f64,
}

impl SleepState {
    /// True if the body is not stepped.
    pub(crate) fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Consecutive steps in which the body was still.
    pub(crate) fn still(&self) -> u32 {
        self.still
    }

    /// Counts a step that ended with these positions and velocities.
    pub(crate) fn count(&mut self, x: &[DVec3], velocities: &[DVec3], limits: StillLimits) {
        let slower = |speed: f64| velocities.iter().all(|v| v.length_squared() <= speed * speed);
        let begins = self.still == 0 || self.places.len() != x.len();
        let stays = || begins || self.stays(x, limits.distance);
        let still = slower(limits.speed) || slower(limits.trembling) && stays();
        self.still = if still { self.still.saturating_add(1) } else { 0 };
        if begins {
            self.places.clear();
            self.places.extend_from_slice(x);
        }
    }

    /// True if all nodes are as near as `distance` to their places.
    fn stays(&self, x: &[DVec3], distance: f64) -> bool {
        let square = distance * distance;
        x.iter().zip(&self.places).all(|(x, place)| x.distance_squared(*place) <= square)
    }

    /// Puts the body to sleep as a member of a group.
    pub(crate) fn sleep(&mut self, group: u32) {
        (self.asleep, self.group) = (true, group);
    }

    /// The group of a sleeping body.
    pub(crate) fn group(&self) -> Option<u32> {
        self.asleep.then_some(self.group)
    }

    /// Wakes the body and resets its counter; true if it was asleep.
    pub(crate) fn wake(&mut self) -> bool {
        self.still = 0;
        std::mem::take(&mut self.asleep)
    }
}

impl Persist for SleepState {
    fn save(&self, to: &mut Writer) {
        to.u32(self.still);
        to.flag(self.asleep);
        to.u32(self.group);
        let counts = self.still > 0 && !self.asleep;
        let places = if counts { &self.places[..] } else { &[] };
        to.u32(places.len() as u32);
        to.vectors(places);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        (self.still, self.asleep, self.group) = (from.u32()?, from.flag()?, from.u32()?);
        let count = from.count(size_of::<DVec3>())?;
        self.places.resize(count, DVec3::ZERO);
        from.vectors(&mut self.places)
    }
}
