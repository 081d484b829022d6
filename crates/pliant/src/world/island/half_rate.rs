//! Double steps of islands at half rate.
//!
//! Half of the bodies that are awake take a double step in one step, and the other half in the next, so that each step is about half the
//! work; or a large island in one step and all others in the next. Any disturbance of a body in the middle of a double step ends it
//! there, for all bodies that took it together: they are at the right time, and go on at full rate.

use crate::contact::{ContactLevel, Obstacle};
use crate::world::contact::tracker::ContactTracker;
use crate::world::world::World;

use super::island::Island;

impl World {
    /// Ends the double steps of bodies that were changed, or attached to others, in the middle.
    pub(crate) fn cancel_disturbed_double_steps(&mut self) {
        for index in 0..self.slots.len() as u32 {
            let Some(slot) = self.slots.get_mut(index) else { continue };
            let step = &mut slot.double_step;
            (step.finished, step.full_rate_steps) = (false, step.full_rate_steps.saturating_sub(1));
            if slot.is_double_step_disturbed() {
                self.cancel_double_step(index);
            }
        }
        for place in 0..self.attachments.len() {
            let bodies = self.attachments.at(place).and_then(|(_, attached)| attached.bodies());
            bodies.into_iter().for_each(|bodies| _ = self.cancel_unequal(bodies));
        }
    }

    /// Ends the double steps of bodies in contact with bodies outside of their group; returns true if there were any.
    pub(crate) fn cancel_touched_double_steps(&mut self, contacts: &ContactTracker) -> bool {
        let mut any = false;
        for found in contacts.found() {
            any |= self.cancel_unequal(found.bodies);
        }
        any
    }

    /// Ends the double steps of two bodies of different groups; returns true if there was one.
    fn cancel_unequal(&mut self, bodies: [u32; 2]) -> bool {
        let group = |body: u32| self.slots.get(body).and_then(|slot| slot.double_step.group());
        let [first, second] = bodies.map(group);
        if first == second {
            return false;
        }
        bodies.into_iter().for_each(|body| self.cancel_double_step(body));
        true
    }

    /// Ends the double step of the group of a body, in the middle.
    fn cancel_double_step(&mut self, body: u32) {
        let slot = self.slots.get(body);
        let Some(group) = slot.and_then(|slot| slot.double_step.group()) else { return };
        let own = self.slots.iter_mut().filter(|slot| slot.double_step.group() == Some(group));
        for slot in own {
            slot.double_step.cancel();
            slot.begin(self.time);
        }
    }

    /// Finishes all double steps; returns the number of nodes in them.
    pub(crate) fn finish_double_steps(&mut self) -> usize {
        let under_way = self.slots.iter_mut().filter(|slot| slot.double_step.is_under_way());
        under_way.map(|slot| (slot.finish_double_step(), slot.body.state.x.len()).1).sum()
    }

    /// Chooses the islands that take a double step: about half of all nodes, or one larger island. `finished` nodes are not stepped.
    pub(crate) fn choose_double_steps(&mut self, finished: usize) {
        let allowed = self.limits.half_rate && self.config.contact != ContactLevel::Safe;
        let (from, to) = (self.time, self.time + 2.0 * self.config.dt);
        let islands = self.islands.current();
        for island in &mut *islands {
            let obstacles = self.environment.obstacles.list();
            island.double_step = allowed && island.may_double_step(obstacles, from, to);
        }
        let half = (finished + islands.iter().map(Island::size).sum::<usize>()).div_ceil(2);
        let is_large = |island: &Island| island.double_step && island.size() > half;
        let mut left = if islands.iter().any(is_large) { 0 } else { half };
        for island in islands.iter_mut().filter(|island| !is_large(island)) {
            island.double_step &= island.size() <= left;
            left -= if island.double_step { island.size() } else { 0 };
        }
    }
}

impl Island {
    /// True if all its bodies can take a double step.
    fn may_double_step(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        self.members_mut().all(|slot| slot.may_double_step(obstacles, from, to))
    }

    /// Moves its bodies back to the middle of the double step, if it took one.
    pub(crate) fn start_double_step(&mut self) {
        if let (true, Some(group)) = (self.double_step, self.bodies().first().copied()) {
            self.members_mut().for_each(|slot| slot.start_double_step(group));
        }
    }
}
