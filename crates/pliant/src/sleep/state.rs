//! Whether a body sleeps, and for how long it has been still.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// How long a body has lain still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SleepState {
    /// Steps in which none of its nodes was fast.
    still: u32,
    asleep: bool,
    /// Those that fell asleep together have the same number, and wake together.
    group: u32,
}

impl SleepState {
    /// Whether it is not stepped.
    pub fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Steps for which it has lain still.
    pub fn still(&self) -> u32 {
        self.still
    }

    /// Counts a step that left these velocities.
    pub fn count(&mut self, velocities: &[DVec3], speed: f64) {
        let limit = speed * speed;
        let calm = velocities.iter().all(|v| v.length_squared() <= limit);
        self.still = if calm { self.still.saturating_add(1) } else { 0 };
    }

    /// Falls asleep, together with all others of a group.
    pub fn sleep(&mut self, group: u32) {
        (self.asleep, self.group) = (true, group);
    }

    /// The group it sleeps with.
    pub fn group(&self) -> Option<u32> {
        self.asleep.then_some(self.group)
    }

    /// Wakes, and has to lie still anew before it sleeps; tells whether it was asleep.
    pub fn wake(&mut self) -> bool {
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
