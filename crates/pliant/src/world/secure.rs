//! The end of a step of a world that lets nothing through.

use crate::contact::{ContactLevel, SafeReport, SafeSurface};

use super::World;
use super::entry::Entry;
use super::step::attached;

/// How far apart skins are kept, in spacings of the finest: where the layer between two bodies begins to
/// push, and how near their triangles may come at last.
const THICKNESS: f64 = 0.05;
const SEPARATION: f64 = 1e-3;

impl World {
    /// How far apart skins are kept by what pushes them, in m.
    pub(super) fn thickness(&self) -> f64 {
        let spacing = self.spacing();
        let safe = self.config.contact == ContactLevel::Safe && spacing.is_finite();
        if safe { THICKNESS * spacing } else { 0.0 }
    }

    /// Corrects what the step has led to, so that no two triangles of skins go through each other.
    pub(super) fn secure(&mut self) -> SafeReport {
        let (separation, h) = (SEPARATION * self.spacing(), self.config.dt);
        if !(self.config.contact == ContactLevel::Safe && separation.is_finite()) {
            return SafeReport::default();
        }
        let here = (0u32..).zip(self.entries.iter()).filter(|(_, entry)| entry.is_there());
        let touch: Vec<_> = here.map(|(index, entry)| (index, entry.touch)).collect();
        let attachments = &self.attachments;
        let meets = |first: u32, second: u32| {
            let [(a, own), (b, other)] = [first, second].map(|way| touch[way as usize]);
            match a == b {
                true => own.with_itself,
                false => own.allows(&other) && !attached(attachments, [a, b]),
            }
        };
        let here = self.entries.iter_mut().filter(|entry| entry.is_there());
        let ways: Option<Vec<SafeSurface<'_>>> = here.map(|entry| entry.way(h)).collect();
        let Some(mut ways) = ways else { return SafeReport::default() };
        self.safe.resolve(&mut ways, meets, separation, h)
    }

    /// How far the vertices of the finest skin are apart, in m; infinite while nobody has been asked.
    fn spacing(&self) -> f64 {
        self.entries.iter().map(Entry::spacing).fold(f64::INFINITY, f64::min)
    }
}
