//! Whether a body sleeps, and for how long it has been still.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The sleep of one body: whether it is asleep, and for how many steps it has been still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SleepState {
    /// Consecutive steps in which all nodes were slower than the limit.
    still: u32,
    asleep: bool,
    /// Bodies that fell asleep together have the same number, and wake together.
    group: u32,
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

    /// Counts a step that ended with these velocities.
    pub(crate) fn count(&mut self, velocities: &[DVec3], speed: f64) {
        let limit = speed * speed;
        let calm = velocities.iter().all(|v| v.length_squared() <= limit);
        self.still = if calm { self.still.saturating_add(1) } else { 0 };
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
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        *self = Self { still: from.u32()?, asleep: from.flag()?, group: from.u32()? };
        Ok(())
    }
}
