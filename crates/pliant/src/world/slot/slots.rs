//! The bodies of a world, by handle and by index.

use rayon::prelude::*;

use super::handle::{BodyHandle, HandleError, WorldId};
use super::slot::BodySlot;

/// All bodies of a world. An island takes its bodies out for the time of its solve and puts them back before anything else
/// reads them.
#[derive(Debug, Clone)]
pub(crate) struct Slots {
    world: WorldId,
    places: Vec<Place>,
    /// The number of bodies and fragments that were ever made.
    versions: u64,
}

/// A place for a body.
#[derive(Debug, Clone)]
struct Place {
    /// The number of bodies that had this place before.
    generation: u32,
    /// True between the removal of a body and the arrival of the next one.
    vacant: bool,
    /// `None` if the place is vacant, or while an island owns the body.
    slot: Option<Box<BodySlot>>,
}

/// The reason why an occupied place always holds its body here.
const PUT_BACK: &str = "islands put their bodies back";

impl Place {
    fn get(&self) -> Option<&BodySlot> {
        (!self.vacant).then(|| &**self.slot.as_ref().expect(PUT_BACK))
    }

    fn get_mut(&mut self) -> Option<&mut BodySlot> {
        (!self.vacant).then(|| &mut **self.slot.as_mut().expect(PUT_BACK))
    }
}

impl Default for Slots {
    fn default() -> Self {
        Self { world: WorldId::new(), places: Vec::new(), versions: 0 }
    }
}

impl Slots {
    /// The number of places, vacant ones included: indices are below it.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of bodies.
    pub(crate) fn body_count(&self) -> usize {
        self.places.iter().filter(|place| !place.vacant).count()
    }

    /// Indices without a body, from the lowest: vacant places, and then new ones at the end.
    pub(crate) fn free_indices(&self) -> impl Iterator<Item = u32> {
        let vacant = (0u32..).zip(&self.places).filter(|(_, place)| place.vacant);
        vacant.map(|(index, _)| index).chain(self.places.len() as u32..)
    }

    /// Puts a body at an index: in place of the one there, in a vacant place, or in a new one at the end.
    pub(crate) fn put_at(&mut self, index: u32, mut slot: BodySlot) {
        slot.identity.version = self.next_version();
        let slot = Some(Box::new(slot));
        match self.places.get_mut(index as usize) {
            Some(place) => (place.vacant, place.slot) = (false, slot),
            None => self.places.push(Place { generation: 0, vacant: false, slot }),
        }
    }

    /// Takes a body out for good. Its handle is not valid any more.
    pub(crate) fn remove(&mut self, index: u32) -> Box<BodySlot> {
        let slot = self.take(index);
        let place = &mut self.places[index as usize];
        (place.vacant, place.generation) = (true, place.generation.wrapping_add(1));
        slot
    }

    /// Leaves a place without a body, or adds such a place at the end.
    pub(crate) fn vacate(&mut self, index: u32) {
        match self.places.get(index as usize) {
            Some(place) if place.vacant => {}
            Some(_) => drop(self.remove(index)),
            None => self.places.push(Place { generation: 0, vacant: true, slot: None }),
        }
    }

    /// A number that no body or fragment has had yet.
    fn next_version(&mut self) -> u64 {
        self.versions += 1;
        self.versions
    }

    /// The world of the bodies.
    pub(crate) fn world(&self) -> WorldId {
        self.world
    }

    /// The handle of the body at an index.
    pub(crate) fn handle(&self, index: u32) -> BodyHandle {
        let generation = self.places.get(index as usize).map_or(0, |place| place.generation);
        BodyHandle { index, generation, world: self.world }
    }

    /// The index of the body that a handle names.
    pub(crate) fn index_of(&self, handle: BodyHandle) -> Result<u32, HandleError> {
        let BodyHandle { index, generation, world } = handle;
        if world != self.world {
            return Err(HandleError::OtherWorld { index });
        }
        match self.places.get(index as usize) {
            Some(place) if place.generation == generation && !place.vacant => Ok(index),
            _ => Err(HandleError::Removed { index }),
        }
    }

    /// The body that a handle names.
    pub(crate) fn named(&self, handle: BodyHandle) -> Option<&BodySlot> {
        self.get(self.index_of(handle).ok()?)
    }

    /// The same, to be changed.
    pub(crate) fn named_mut(&mut self, handle: BodyHandle) -> Option<&mut BodySlot> {
        self.get_mut(self.index_of(handle).ok()?)
    }

    /// The body at an index; `None` if the place is vacant.
    pub(crate) fn get(&self, index: u32) -> Option<&BodySlot> {
        self.places.get(index as usize)?.get()
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut BodySlot> {
        self.places.get_mut(index as usize)?.get_mut()
    }

    /// All bodies, by index.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &BodySlot> {
        self.places.iter().filter_map(Place::get)
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut BodySlot> {
        self.places.iter_mut().filter_map(Place::get_mut)
    }

    /// All bodies with their indices.
    pub(crate) fn indexed(&self) -> impl Iterator<Item = (u32, &BodySlot)> {
        (0u32..).zip(&self.places).filter_map(|(index, place)| Some((index, place.get()?)))
    }

    /// The same, to be changed.
    pub(crate) fn indexed_mut(&mut self) -> impl Iterator<Item = (u32, &mut BodySlot)> {
        (0u32..).zip(&mut self.places).filter_map(|(index, place)| Some((index, place.get_mut()?)))
    }

    /// Calls `work` for every body, in parallel if the step runs in a thread pool.
    pub(crate) fn for_each(&mut self, work: impl Fn(&mut BodySlot) + Sync) {
        let work = |place: &mut Place| place.get_mut().into_iter().for_each(&work);
        if self.places.len() > 1 && rayon::current_thread_index().is_some() {
            self.places.par_iter_mut().for_each(work);
        } else {
            self.places.iter_mut().for_each(work);
        }
    }

    /// Keeps the places below `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.places.truncate(count);
    }

    /// Moves a body out, to be put back.
    pub(crate) fn take(&mut self, index: u32) -> Box<BodySlot> {
        self.places[index as usize].slot.take().expect(PUT_BACK)
    }

    /// Puts a body back in its place.
    pub(crate) fn put_back(&mut self, index: u32, slot: Box<BodySlot>) {
        self.places[index as usize].slot = Some(slot);
    }
}
