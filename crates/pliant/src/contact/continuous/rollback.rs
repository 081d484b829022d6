//! Rollback: the last resort of continuous contact.

use super::continuous_contact::ContinuousContact;
use super::report::ContinuousReport;
use super::surface::{ContinuousRules, ContinuousSurface};

/// The part of its path below which a body stays at its start.
const LEAST_TRAVEL: f64 = 0.1;

impl ContinuousContact {
    /// Halves the paths of bodies with hits, at last to zero, until there are no hits.
    ///
    /// With all bodies at their start there are no hits, since none intersected there. So this ends, except for prescribed
    /// surfaces.
    pub(super) fn roll_back(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
        report: &mut ContinuousReport,
    ) {
        while !self.hits.is_empty() {
            for hit in 0..self.hits.len() {
                let [a, b] = self.hits[hit].surfaces.map(|surface| surface as usize);
                let moved = [self.halve(a, surfaces), self.halve(b, surfaces)];
                report.crushed |= moved == [false; 2];
            }
            self.detect(surfaces, rules, report);
        }
        report.rolled_back = self.swept_surfaces.iter().filter(|swept| swept.part < 1.0).count();
    }

    /// Halves the path of a surface, once per search; returns true if it changed since the last search.
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
