//! The last resort: going back along the way.

use super::continuous_contact::ContinuousContact;
use super::report::ContinuousReport;
use super::surface::ContinuousSurface;

/// Below this part of its way a body stays where it began.
const LEAST_TRAVEL: f64 = 0.1;

impl ContinuousContact {
    /// Halves the ways of bodies that still meet something, at last to nothing, until nothing meets.
    ///
    /// Where all have gone back to their begin nothing meets, since nothing did there; so this ends, unless carried things
    /// are in it.
    pub(super) fn roll_back(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        meets: &(impl Fn(u32, u32) -> bool + Sync),
        separation: f64,
        report: &mut ContinuousReport,
    ) {
        while !self.hits.is_empty() {
            for hit in 0..self.hits.len() {
                let [a, b] = self.hits[hit].surfaces.map(|surface| surface as usize);
                let moved = [self.halve(a, surfaces), self.halve(b, surfaces)];
                report.crushed |= moved == [false; 2];
            }
            self.detect(surfaces, meets, separation, report);
        }
        report.rolled_back = self.swept_surfaces.iter().filter(|swept| swept.part < 1.0).count();
    }

    /// Halves the way of a surface, once between two looks; tells whether there was any left.
    fn halve(&mut self, surface: usize, surfaces: &mut [ContinuousSurface<'_>]) -> bool {
        let swept = &mut self.swept_surfaces[surface];
        if swept.changed || swept.part == 0.0 || surfaces[surface].is_prescribed() {
            return swept.changed;
        }
        let share = if swept.part > LEAST_TRAVEL { 0.5 } else { 0.0 };
        swept.shorten(&mut surfaces[surface], share);
        true
    }
}
