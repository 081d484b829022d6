//! Fragments in snapshots, and bodies that take the place of broken ones.

use crate::body::Body;
use crate::fracture::{FragmentPlace, read_part, save_part};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::MethodConfig;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;
use pliant_mesh::mesh::Fragment;

use super::originals::Original;

/// The kinds of body in a snapshot: unbroken, a fragment, faded, or removed.
const WHOLE: u8 = 0;
const PART: u8 = 1;
const GONE: u8 = 2;
const VACANT: u8 = 3;

impl World {
    /// Stores the unbroken body, before the body breaks for the first time.
    pub(crate) fn store_whole(&mut self, index: u32) {
        let Some(slot) = self.slots.get(index) else { return };
        if let Some(original) = self.originals.get_mut(slot.identity.original) {
            original.whole.get_or_insert_with(|| slot.body.as_whole());
        }
    }

    /// Makes a new original for the body that replaces another; the fragments of the old one fade. Returns its index.
    pub(crate) fn renew_original(&mut self, index: u32, method: MethodConfig) -> u32 {
        let new = Original::new(index, method);
        let Some(original) = self.originals.at(index) else { return self.originals.insert(new) };
        self.originals.get_mut(original).into_iter().for_each(|old| old.clone_from(&new));
        let fragments = self.slots.indexed_mut();
        let fragments = fragments.filter(|(_, slot)| slot.identity.original == original);
        fragments.filter(|(place, _)| *place != index).for_each(|(_, slot)| slot.fade());
        original
    }

    /// Saves which part of its original every body is.
    pub(crate) fn save_parts(&self, to: &mut Writer) {
        to.u32(self.slots.len() as u32);
        for index in 0..self.slots.len() as u32 {
            let slot = self.slots.get(index);
            to.u32(slot.map_or(0, |slot| slot.identity.original));
            match slot.map(|slot| (slot.is_present(), slot.body.part())) {
                None => to.u8(VACANT),
                Some((false, _)) => to.u8(GONE),
                Some((true, None)) => to.u8(WHOLE),
                Some((true, Some(part))) => {
                    to.u8(PART);
                    save_part(part, to);
                }
            }
        }
    }

    /// Makes every body the part of its original that was saved; bodies that are that part already stay. Their states have to be
    /// loaded next.
    pub(crate) fn load_parts(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// The least number of bytes of a body.
        const LEAST: usize = 5;
        let count = from.count(LEAST)? as u32;
        for place in 0..count {
            let original = from.u32()?;
            let (part, present) = match from.u8()? {
                WHOLE => (None, true),
                PART => (Some(read_part(from)?), true),
                GONE => (None, false),
                VACANT => {
                    self.slots.vacate(place);
                    continue;
                }
                _ => return Err(from.bad("the kind of a body")),
            };
            if !self.is_already(place, original, part.as_ref(), present) {
                let slot = self.made_anew(place, original, part, present, from)?;
                self.put_slot(place, slot);
            }
        }
        let complete = self.originals.iter().all(|original| original.place < count);
        if !complete || (count as usize) > self.slots.len() {
            return Err(from.bad("all bodies of the world"));
        }
        self.slots.truncate(count as usize);
        Ok(())
    }

    fn is_already(
        &self,
        place: u32,
        original: u32,
        part: Option<&Fragment>,
        present: bool,
    ) -> bool {
        let slot = self.slots.get(place).filter(|slot| slot.identity.original == original);
        slot.is_some_and(|slot| {
            slot.is_present() == present && (!present || slot.body.part() == part)
        })
    }

    /// A body, or a fragment of one, at rest.
    fn made_anew(
        &mut self,
        place: u32,
        original: u32,
        part: Option<Fragment>,
        present: bool,
        from: &Reader<'_>,
    ) -> Result<BodySlot, SnapshotError> {
        let bad = || from.bad("a part of a body");
        let own = self.originals.get(original).ok_or_else(bad)?.place;
        self.store_whole(own);
        let Original { method, whole, .. } = self.originals.get(original).ok_or_else(bad)?;
        let whole = whole.as_ref().ok_or_else(bad)?;
        let next = (place as usize) <= self.slots.len();
        let body = match part {
            Some(part) if next && part.fits(whole.model.mesh()) => {
                Body::of_whole(whole, FragmentPlace { index: place, is_first: place == own }, part)
            }
            // The unbroken body stands for a faded fragment, whose part is not known.
            None if next && (place == own || !present) => Body::whole_again(whole),
            _ => return Err(bad()),
        };
        let mut slot = BodySlot::new(body, *method).map_err(|_| bad())?;
        slot.identity.original = original;
        if !present {
            slot.fade();
        }
        Ok(slot)
    }
}
