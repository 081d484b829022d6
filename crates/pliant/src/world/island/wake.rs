//! Waking bodies.

use crate::world::report::event::{Event, EventKind};
use crate::world::slot::component::identity::Presence;
use crate::world::slot::handle::BodyHandle;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

impl World {
    /// True if a body is asleep: it is at rest and not stepped.
    pub fn is_asleep(&self, handle: BodyHandle) -> Option<bool> {
        self.slots.named(handle).map(|slot| slot.sleep.is_asleep())
    }

    /// Wakes a body, and all that fell asleep with it.
    ///
    /// Their [`EventKind::Woke`] is in [`World::events`] until the next step, which clears it.
    pub fn wake(&mut self, handle: BodyHandle) {
        if let Ok(index) = self.slots.index_of(handle) {
            self.wake_slot(index);
        }
    }

    /// Wakes the body at an index, and all that fell asleep with it, with an event for each. Returns true if any woke: frozen
    /// and faded fragments do not.
    pub(crate) fn wake_slot(&mut self, index: u32) -> bool {
        let slot = self.slots.get(index);
        let Some(group) = slot.and_then(|slot| slot.sleep.group()) else { return false };
        let mut woke = false;
        for index in 0..self.slots.len() as u32 {
            let own = |slot: &&mut BodySlot| {
                slot.sleep.group() == Some(group) && slot.identity.presence == Presence::Active
            };
            let Some(slot) = self.slots.get_mut(index).filter(own) else { continue };
            slot.sleep.wake();
            slot.begin(self.time);
            let body = self.slots.handle(index);
            self.record.events.push(Event { body, kind: EventKind::Woke });
            woke = true;
        }
        woke
    }

    /// Wakes bodies with prescribed motion in this step, and bodies whose external loads changed.
    pub(crate) fn wake_driven_and_disturbed(&mut self) {
        let (from, to) = (self.time, self.time + self.config.dt);
        let changing = self.environment.wind.is_some_and(|wind| !wind.is_steady());
        let changing = std::mem::take(&mut self.environment.wind_changed) || changing;
        for index in 0..self.slots.len() as u32 {
            let wind = self.environment.wind_at(self.time + 0.5 * self.config.dt);
            let Some(slot) = self.slots.get_mut(index) else { continue };
            if slot.sleep.is_asleep()
                && slot.identity.presence == Presence::Active
                && (slot.is_driven(self.environment.obstacles.list(), from, to)
                    || slot.is_disturbed(wind, changing, &self.config))
            {
                self.wake_slot(index);
            }
        }
    }

    /// Wakes all bodies, without events.
    pub(crate) fn wake_all(&mut self) {
        let active = |slot: &&mut BodySlot| slot.identity.presence == Presence::Active;
        self.slots.iter_mut().filter(active).for_each(|slot| _ = slot.sleep.wake());
    }

    /// Wakes all bodies, and treats them as just put in place.
    pub(crate) fn renew_all(&mut self) {
        let active = |slot: &&mut BodySlot| slot.identity.presence == Presence::Active;
        self.slots.iter_mut().filter(active).for_each(|slot| {
            slot.sleep.wake();
            slot.contact.just_placed = true;
        });
    }
}
