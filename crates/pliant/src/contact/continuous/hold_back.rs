//! Fast bodies are held back where they hit something.

use super::continuous_contact::ContinuousContact;
use super::hits::swept_hit::SweptHit;
use super::report::ContinuousReport;
use super::surface::{ContinuousRules, ContinuousSurface};

/// How far two features would pass each other after their hit, over the thickness of the thinner body there, for the hit to be fast. Contact
/// forces and impulses push bodies apart that sink in less; beyond the middle they would push the wrong way.
const FAST_DEPTH: f64 = 0.5;

/// Hits within this part of the step after the earliest of two bodies change their velocities.
const SIMULTANEOUS: f64 = 0.05;

/// How far features pass each other at the level `game`, over that thickness, before the motion of their bodies ends. Bodies that touch at the start of a step
/// would not move at all without it, and never part; contact forces act at this depth.
const SUNK_DEPTH: f64 = 0.05;

/// The part of its path below which a body stays at its start, at the level `safe`.
const LEAST_TRAVEL: f64 = 0.01;

/// Largest number of rounds in which bodies are held back. Two bodies need one; in a crowd each of them can be hit on its shorter path by others.
const ROUNDS: u32 = 32;

impl ContinuousContact {
    /// Ends the motion of bodies with a fast hit at the hit, for this step, and takes the velocity away with which they would pass through each other.
    ///
    /// Their positions and velocities are those that they had on their way, so that nothing is strained and no energy is created. Impulses at
    /// the end of the paths would drag the nodes of a sheet as far as a bullet flies in a step. The rest of the step is lost: less than a step for
    /// an impact.
    pub(super) fn hold_back(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
        report: &mut ContinuousReport,
    ) {
        self.fast.clear();
        self.held.clear();
        for _ in 0..ROUNDS {
            let known = self.fast.len();
            self.list_fast(surfaces);
            if self.fast.len() == known {
                break;
            }
            self.find_shares(known);
            for surface in 0..surfaces.len() {
                self.end_path(surface, surfaces);
            }
            self.mark_hits_changed();
            self.detect(surfaces, rules, report);
        }
        if self.fast.is_empty() {
            return;
        }
        let indices = (0u32..).zip(&self.swept_surfaces);
        self.held.extend(indices.filter(|(_, swept)| swept.part < 1.0).map(|(index, _)| index));
        report.held_back = self.held.len();
        for (swept, surface) in self.swept_surfaces.iter_mut().zip(&mut *surfaces) {
            swept.settle(surface, rules);
        }
        self.balance.begin(surfaces);
        self.balance.join(&self.fast);
        self.stop_closing(surfaces, rules);
    }

    /// Adds the hits in which bodies would pass through each other, with the times at which their motion ends.
    fn list_fast(&mut self, surfaces: &[ContinuousSurface<'_>]) {
        let Self { hits, fast, swept_surfaces, also_intersecting, .. } = self;
        let sunk = if *also_intersecting { SUNK_DEPTH } else { 0.0 };
        let end = |hit: &SweptHit| {
            let [a, b] = hit.surfaces.map(|surface| &swept_surfaces[surface as usize]);
            let travel = a.travel(&hit.features[0]) - b.travel(&hit.features[1]);
            let closing = -hit.normal.dot(travel);
            let [own, other] =
                [(a, 0), (b, 1)].map(|(swept, side)| swept.thickness_at(&hit.features[side]));
            let thinner = own.min(other);
            let is_fast = closing * (1.0 - hit.time) > FAST_DEPTH * thinner;
            is_fast.then(|| SweptHit { time: hit.time + sunk * thinner / closing, ..*hit })
        };
        let may_end = |hit: &&SweptHit| {
            let [a, b] = hit.surfaces.map(|surface| surface as usize);
            let ended = |surface: usize| {
                swept_surfaces[surface].part == 0.0 || surfaces[surface].is_prescribed()
            };
            a != b && hit.from_outside && !(ended(a) && ended(b))
        };
        fast.extend(hits.iter().filter(may_end).filter_map(end));
    }

    /// Finds the part of its present path that each surface can move: to the first hit of all bodies that hit each other. `known` hits were found in
    /// earlier rounds.
    fn find_shares(&mut self, known: usize) {
        let Self { shares, fast, swept_surfaces, .. } = self;
        shares.clear();
        shares.resize(swept_surfaces.len(), 1.0);
        let mut changed = true;
        while changed {
            changed = false;
            for SweptHit { surfaces: [a, b], time, .. } in &fast[known..] {
                let [a, b] = [*a as usize, *b as usize];
                let least = shares[a].min(shares[b]).min(*time);
                changed |= least < shares[a].max(shares[b]);
                (shares[a], shares[b]) = (least, least);
            }
        }
        // Later hits do not take place.
        let mut kept = known;
        for index in known..fast.len() {
            if fast[index].time <= shares[fast[index].surfaces[0] as usize] + SIMULTANEOUS {
                fast.swap(kept, index);
                kept += 1;
            }
        }
        fast.truncate(kept);
    }

    /// Ends the path of a surface at its share.
    fn end_path(&mut self, surface: usize, surfaces: &mut [ContinuousSurface<'_>]) {
        let (swept, share) = (&mut self.swept_surfaces[surface], self.shares[surface]);
        if share < 1.0 && !surfaces[surface].is_prescribed() {
            let stays = !self.also_intersecting && share * swept.part < LEAST_TRAVEL;
            let share = if stays { 0.0 } else { share };
            swept.shorten(&mut surfaces[surface], share);
        }
    }

    /// Changes velocities by the smallest inelastic impulses after which no fast hit closes.
    fn stop_closing(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
    ) {
        let Self { impulses, swept_surfaces, fast, .. } = self;
        fast.sort_unstable_by_key(|hit| hit.key);
        fast.dedup_by_key(|hit| hit.key);
        impulses.begin(swept_surfaces);
        impulses.add_closing(fast, surfaces, swept_surfaces, rules);
        impulses.solve();
        for (index, (swept, surface)) in swept_surfaces.iter().zip(surfaces).enumerate() {
            swept.push(surface, impulses.shift(index), rules.h);
        }
        impulses.begin(swept_surfaces);
    }
}
