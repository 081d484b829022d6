//! The bodies that were added to a world, before they broke.

use std::sync::Arc;

use crate::body::Whole;
use crate::solver::MethodConfig;

/// A body that was added to a world.
#[derive(Debug, Clone)]
pub(crate) struct Original {
    /// The index of the body, or of its heaviest fragment.
    pub(crate) place: u32,
    /// The method of the body and of its fragments.
    pub(crate) method: MethodConfig,
    /// The unbroken body, once it broke.
    pub(crate) whole: Option<Arc<Whole>>,
}

impl Original {
    pub(crate) fn new(place: u32, method: MethodConfig) -> Self {
        Self { place, method, whole: None }
    }
}

/// The originals of all bodies and fragments of a world; `None` where every one of them was removed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Originals(Vec<Option<Original>>);

impl Originals {
    /// The number of originals, removed ones included: indices are below it.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The original at an index, unless it was removed.
    pub(crate) fn get(&self, index: u32) -> Option<&Original> {
        self.0.get(index as usize)?.as_ref()
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut Original> {
        self.0.get_mut(index as usize)?.as_mut()
    }

    /// All originals that were not removed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Original> {
        self.0.iter().flatten()
    }

    /// The index of the original with this place.
    pub(crate) fn at(&self, place: u32) -> Option<u32> {
        let own =
            |original: &Option<Original>| original.as_ref().is_some_and(|own| own.place == place);
        self.0.iter().position(own).map(|index| index as u32)
    }

    /// Adds an original; returns its index.
    pub(crate) fn insert(&mut self, original: Original) -> u32 {
        let index = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if index == self.0.len() {
            self.0.push(None);
        }
        self.0[index] = Some(original);
        index as u32
    }

    /// Forgets an original.
    pub(crate) fn remove(&mut self, index: u32) {
        self.0[index as usize] = None;
    }
}
