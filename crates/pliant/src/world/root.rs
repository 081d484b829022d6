//! Bodies as they were added, and what they have come apart into.

use std::sync::Arc;

use crate::body::{Body, Whole, read_part, save_part};
use crate::mesh::Part;
use crate::persist::{Reader, SnapshotError, Writer};
use crate::solver::MethodConfig;

use super::World;
use super::entry::Entry;

/// A body that was added to a world.
#[derive(Debug, Clone)]
pub(super) struct Root {
    /// Its place, and later that of what is left of it.
    pub(super) slot: u32,
    /// How it is stepped, and so are its pieces.
    method: MethodConfig,
    /// What it was before it broke, if it has.
    whole: Option<Arc<Whole>>,
}

/// What is written of a body: it is whole, a part, or has faded.
const WHOLE: u8 = 0;
const PART: u8 = 1;
const GONE: u8 = 2;

impl Root {
    pub(super) fn new(slot: u32, method: MethodConfig) -> Self {
        Self { slot, method, whole: None }
    }
}

impl World {
    /// Notes what a body is before it breaks.
    pub(super) fn note_whole(&mut self, index: u32) {
        let Some(entry) = self.entries.get(index) else { return };
        let root = &mut self.roots[entry.root as usize];
        root.whole.get_or_insert_with(|| entry.body.as_whole());
    }

    /// Takes away the pieces of a body whose place is given to another: they were parts of something that is no more. What remains of
    /// the root is noted anew.
    pub(super) fn renew_root(&mut self, index: u32, method: MethodConfig) -> u32 {
        let root = self.roots.iter().position(|root| root.slot == index);
        let root = root.unwrap_or_else(|| {
            self.roots.push(Root::new(index, method));
            self.roots.len() - 1
        });
        self.roots[root] = Root::new(index, method);
        let pieces = (0u32..).zip(self.entries.iter_mut());
        for (_, entry) in pieces.filter(|(slot, e)| *slot != index && e.root == root as u32) {
            entry.fade();
        }
        root as u32
    }

    /// Writes what every body is a part of.
    pub(super) fn save_parts(&self, to: &mut Writer) {
        to.u32(self.entries.len() as u32);
        for entry in self.entries.iter() {
            to.u32(entry.root);
            match entry.body.part() {
                _ if !entry.is_there() => to.u8(GONE),
                None => to.u8(WHOLE),
                Some(part) => {
                    to.u8(PART);
                    save_part(part, to);
                }
            }
        }
    }

    /// Lets every body be the whole, or the part, that was written; those that are already stay as they are. Their states are to be
    /// read next.
    pub(super) fn load_parts(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// Bytes of the least that is written of a body.
        const LEAST: usize = 5;
        let count = from.count(LEAST)? as u32;
        for slot in 0..count {
            let root = from.u32()?;
            if root as usize >= self.roots.len() {
                return Err(from.bad("the body that a piece is of"));
            }
            let (part, there) = match from.u8()? {
                WHOLE => (None, true),
                PART => (Some(read_part(from)?), true),
                GONE => (None, false),
                _ => return Err(from.bad("whether a body has broken")),
            };
            if !self.is_already(slot, root, part.as_ref(), there) {
                let entry = self.made_anew(slot, root, part, there, from)?;
                self.put_piece(slot, entry);
            }
        }
        let whole = self.roots.iter().all(|root| root.slot < count);
        if !whole || (count as usize) > self.entries.len() {
            return Err(from.bad("all bodies that were added"));
        }
        self.entries.truncate(count as usize);
        Ok(())
    }

    fn is_already(&self, slot: u32, root: u32, part: Option<&Part>, there: bool) -> bool {
        let Some(entry) = self.entries.get(slot).filter(|entry| entry.root == root) else {
            return false;
        };
        entry.is_there() == there && (!there || entry.body.part() == part)
    }

    /// A body, or a piece of one, at rest.
    fn made_anew(
        &mut self,
        slot: u32,
        root: u32,
        part: Option<Part>,
        there: bool,
        from: &Reader<'_>,
    ) -> Result<Entry, SnapshotError> {
        let bad = || from.bad("which part of a body is left");
        self.note_whole(self.roots[root as usize].slot);
        let Root { slot: own, method, whole } = &self.roots[root as usize];
        let whole = whole.as_ref().ok_or_else(bad)?;
        let next = (slot as usize) <= self.entries.len();
        let body = match part {
            Some(part) if next && part.fits(whole.model().mesh()) => {
                Body::of_whole(whole, slot, part)
            }
            // One that has faded stands for itself.
            None if next && (slot == *own || !there) => Body::whole_again(whole),
            _ => return Err(bad()),
        };
        let mut entry = Entry::new(body, *method).map_err(|_| bad())?;
        entry.root = root;
        if !there {
            entry.fade();
        }
        Ok(entry)
    }
}
