//! Fragments beyond the limit: they fade or freeze.

use crate::world::config::{DebrisConfig, Fate};
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::component::identity::Presence;
use crate::world::slot::handle::BodyHandle;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

impl World {
    /// True if a body is a fragment that has [faded](Fate::Fade).
    pub fn is_gone(&self, handle: BodyHandle) -> Option<bool> {
        self.slots.named(handle).map(|slot| slot.identity.presence == Presence::Gone)
    }

    /// True if a body is a fragment that is [frozen](Fate::Freeze).
    pub fn is_frozen(&self, handle: BodyHandle) -> Option<bool> {
        self.slots.named(handle).map(|slot| slot.identity.presence == Presence::Frozen)
    }

    /// Fades or freezes the oldest sleeping fragments beyond the limit.
    pub(crate) fn clear_debris(&mut self) {
        let Some(DebrisConfig { most, fate }) = self.config.debris else { return };
        let count = self.slots.iter().filter(|slot| slot.is_debris()).count();
        let Some(excess) = count.checked_sub(most as usize).filter(|excess| *excess > 0) else {
            return;
        };
        let mut asleep: Vec<(u64, u32)> = (0..self.slots.len() as u32)
            .filter_map(|index| {
                let slot = self.slots.get(index)?;
                let asleep = slot.is_debris() && slot.sleep.is_asleep();
                asleep.then_some((slot.identity.version, index))
            })
            .collect();
        asleep.sort_unstable();
        for (_, index) in asleep.into_iter().take(excess) {
            self.set_aside(index, fate);
        }
    }

    fn set_aside(&mut self, index: u32, fate: Fate) {
        let presence = match fate {
            Fate::Fade => Presence::Gone,
            Fate::Freeze => Presence::Frozen,
        };
        let group = self.islands.take_sleep_group();
        let Some(slot) = self.slots.get_mut(index) else { return };
        slot.identity.presence = presence;
        slot.fall_asleep(group);
        if presence == Presence::Gone {
            slot.fade();
            self.contacts.forget(index);
        }
        let body = self.slots.handle(index);
        self.record.events.push(Event { body, kind: EventKind::SetAside { fate } });
    }
}

impl BodySlot {
    /// True for a fragment of a broken body that may move.
    fn is_debris(&self) -> bool {
        self.body.part().is_some() && self.identity.presence == Presence::Active
    }
}
