//! The bodies of a world.

use rayon::prelude::*;

use super::entry::Entry;

/// Bodies by their place. An island takes its bodies out while it steps them, and every one is back
/// before anyone else looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries(Vec<Option<Box<Entry>>>);

/// Why a place is never found empty.
const BACK: &str = "islands give their bodies back";

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.0.push(Some(Box::new(entry)));
    }

    pub(super) fn get(&self, index: u32) -> Option<&Entry> {
        self.0.get(index as usize).map(|entry| &**entry.as_ref().expect(BACK))
    }

    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut Entry> {
        self.0.get_mut(index as usize).map(|entry| &mut **entry.as_mut().expect(BACK))
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.0.iter().map(|entry| &**entry.as_ref().expect(BACK))
    }

    pub(super) fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Entry> {
        self.0.iter_mut().map(|entry| &mut **entry.as_mut().expect(BACK))
    }

    /// Does something to every body, side by side among threads that share the work of a step.
    pub(super) fn for_each(&mut self, work: impl Fn(&mut Entry) + Sync) {
        let work = |entry: &mut Option<Box<Entry>>| work(entry.as_mut().expect(BACK));
        if self.0.len() > 1 && rayon::current_thread_index().is_some() {
            self.0.par_iter_mut().for_each(work);
        } else {
            self.0.iter_mut().for_each(work);
        }
    }

    /// Keeps the first so many.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Takes a body out.
    pub(super) fn take(&mut self, index: u32) -> Box<Entry> {
        self.0[index as usize].take().expect(BACK)
    }

    /// Gives it back.
    pub(super) fn put(&mut self, index: u32, entry: Box<Entry>) {
        self.0[index as usize] = Some(entry);
    }
}
