//! When bodies fall asleep.

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// When bodies that lie still are no longer stepped (Parker & O'Brien 2009, section 4).
///
/// Bodies that lie on something, or on each other, fall asleep together once none of their nodes has moved faster
/// than `speed` for `steps` steps, and wake when something awake touches them, someone changes them, or a force acts
/// on one of their nodes that did not when they fell asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SleepConfig {
    /// Speed below which a node counts as still, in m/s (default `5e-4`).
    pub speed: f64,
    /// Steps for which all nodes must be still (default `30`).
    pub steps: u32,
    /// Force at a node, in N, below which loads, wind, fields and blasts leave a sleeper as it is (default `0`: what would make a node
    /// faster than `speed` in a step wakes it, and a blast always does). A blast counts as a force that lasts for a step. What is
    /// kept from a sleeper so is lost to it, so that this is for crumbs that need not stir in every breeze.
    pub force: f64,
}

impl Default for SleepConfig {
    fn default() -> Self {
        Self { speed: 5e-4, steps: 30, force: 0.0 }
    }
}

/// How long a body has lain still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rest {
    /// Steps in which none of its nodes was fast.
    still: u32,
    asleep: bool,
    /// Those that fell asleep together have the same number, and wake together.
    group: u32,
}

impl Rest {
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

impl Persist for Rest {
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
