//! The search for hits between two surfaces.

use crate::contact::continuous::swept_surface::SweptSurface;

use super::crossings::find_crossings;
use super::detector::find;
use super::swept_hit::SweptHit;

/// The search for new hits between two surfaces, run in parallel with others.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::continuous) struct PairSearch {
    pub(in crate::contact::continuous) surfaces: [u32; 2],
    /// True if they do not intersect at the start; `None` before the first search of a step.
    pub(in crate::contact::continuous) sound: Option<bool>,
    /// True if features that are still outside are looked for though the surfaces intersect.
    pub(in crate::contact::continuous) also_intersecting: bool,
    /// True if hits of earlier searches remain.
    pub(in crate::contact::continuous) has_hits: bool,
    pub(in crate::contact::continuous) hits: Vec<SweptHit>,
}

impl PairSearch {
    pub(in crate::contact::continuous) fn run(
        &mut self,
        swept_surfaces: &[SweptSurface],
        separation: f64,
    ) {
        self.hits.clear();
        let [a, b] = self.surfaces;
        let (first, second) = (&swept_surfaces[a as usize], &swept_surfaces[b as usize]);
        let is_sound =
            || if a == b { first.clearance.is_sound() } else { !first.intersects(second) };
        let sound = *self.sound.get_or_insert_with(is_sound);
        if sound || self.also_intersecting {
            find([first, second], self.surfaces, separation, &mut self.hits);
        }
        if !sound {
            self.hits.retain(|hit| hit.from_outside);
        }
        // Where there are hits, the ends will change, and are looked at again.
        if sound && !self.also_intersecting && !self.has_hits && self.hits.is_empty() {
            find_crossings([first, second], self.surfaces, &mut self.hits);
        }
    }
}
