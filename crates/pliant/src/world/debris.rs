//! What becomes of pieces when there are too many.

use super::entry::Entry;
use super::{Event, EventKind, Handle, World};

/// How many pieces of broken bodies there may be, and what becomes of the oldest that sleep when there are more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebrisConfig {
    /// Most pieces that are stepped, or may be.
    pub most: u32,
    /// What becomes of those that are too many.
    pub fate: Fate,
}

/// What becomes of pieces that are too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fate {
    /// They are gone: nothing meets them, and nobody draws them.
    #[default]
    Fade,
    /// They lie where they are for ever, and others rest on them.
    Freeze,
}

impl Fate {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fade, Self::Freeze];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fade => "fade",
            Self::Freeze => "freeze",
        }
    }
}

/// Whether a body takes part in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Presence {
    /// It does.
    #[default]
    Here,
    /// It lies where it is for ever.
    Frozen,
    /// It is gone.
    Gone,
}

impl World {
    /// Whether a body is a piece that has [faded](Fate::Fade).
    pub fn is_gone(&self, handle: Handle) -> Option<bool> {
        self.entries.get(handle.index).map(|entry| entry.presence == Presence::Gone)
    }

    /// Whether a body is a piece that is [frozen](Fate::Freeze).
    pub fn is_frozen(&self, handle: Handle) -> Option<bool> {
        self.entries.get(handle.index).map(|entry| entry.presence == Presence::Frozen)
    }

    /// Lets the oldest pieces that sleep fade or freeze, if there are too many.
    pub(super) fn clear_debris(&mut self) {
        let Some(DebrisConfig { most, fate }) = self.config.debris else { return };
        let pieces = self.entries.iter().filter(|entry| entry.is_debris()).count();
        let Some(excess) = pieces.checked_sub(most as usize).filter(|excess| *excess > 0) else {
            return;
        };
        let mut asleep: Vec<(u64, u32)> = (0..self.entries.len() as u32)
            .filter_map(|index| {
                let entry = self.entries.get(index)?;
                let asleep = entry.is_debris() && entry.rest.is_asleep();
                asleep.then_some((entry.version, index))
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
        let group = self.sleep_count;
        self.sleep_count = self.sleep_count.wrapping_add(1);
        let Some(entry) = self.entries.get_mut(index) else { return };
        entry.presence = presence;
        entry.sleep(group);
        if presence == Presence::Gone {
            entry.fade();
            self.touching.forget(index);
        }
        let body = Handle { index, generation: 0 };
        self.events.push(Event { body, kind: EventKind::SetAside { fate } });
    }
}

impl Entry {
    /// Takes part no more.
    pub(super) fn fade(&mut self) {
        self.presence = Presence::Gone;
        self.rest.sleep(u32::MAX);
        (self.collider, self.contact) = (None, None);
    }

    /// Whether it has not faded.
    pub(super) fn is_there(&self) -> bool {
        self.presence != Presence::Gone
    }

    /// Whether it is a piece of something that broke, and takes part.
    fn is_debris(&self) -> bool {
        self.body.part().is_some() && self.presence == Presence::Here
    }
}
