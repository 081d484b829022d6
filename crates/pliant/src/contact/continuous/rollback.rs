//! The last resort: going back along the way.

use super::continuous_contact::SafeContact;
use super::report::SafeReport;
use super::surface::SafeSurface;

/// Below this part of its way a body stays where it began.
const SMALLEST_PART: f64 = 0.1;

impl SafeContact {
    /// Halves the ways of bodies that still meet something, at last to nothing, until nothing meets.
    ///
    /// Where all have gone back to their begin nothing meets, since nothing did there; so this ends, unless carried things
    /// are in it.
    pub(super) fn set_back(
        &mut self,
        surfaces: &mut [SafeSurface<'_>],
        meets: &(impl Fn(u32, u32) -> bool + Sync),
        separation: f64,
        report: &mut SafeReport,
    ) {
        while !self.hits.is_empty() {
            for hit in 0..self.hits.len() {
                let [a, b] = self.hits[hit].surfaces.map(|surface| surface as usize);
                let moved = [self.halve(a, surfaces), self.halve(b, surfaces)];
                report.crushed |= moved == [false; 2];
            }
            self.detect(surfaces, meets, separation, report);
        }
        report.set_back = self.shells.iter().filter(|shell| shell.part < 1.0).count();
    }

    /// Halves the way of a surface, once between two looks; tells whether there was any left.
    fn halve(&mut self, surface: usize, surfaces: &mut [SafeSurface<'_>]) -> bool {
        let shell = &mut self.shells[surface];
        if shell.changed || shell.part == 0.0 || surfaces[surface].is_carried() {
            return shell.changed;
        }
        let share = if shell.part > SMALLEST_PART { 0.5 } else { 0.0 };
        shell.go_back(&mut surfaces[surface], share);
        true
    }
}
