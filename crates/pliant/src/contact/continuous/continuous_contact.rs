//! Continuous contact: steps without new intersections.

use glam::DVec3;
use rayon::prelude::*;

use crate::contact::detect::body_pairs::BodyPairs;
use pliant_mesh::geometry::Aabb;

use super::balance::Balance;
use super::hits::earliest_hits::EarliestHits;
use super::hits::pair_search::PairSearch;
use super::hits::swept_hit::SweptHit;
use super::impact_zones::ImpactZones;
use super::impulses::impulse_system::ImpulseSystem;
use super::report::ContinuousReport;
use super::surface::{ContinuousRules, ContinuousSurface};
use super::swept_surface::SweptSurface;

/// Corrects the ends of steps so that no two triangles of skins intersect.
///
/// ```text
/// 1  find every vertex and triangle, and every two edges, that come nearer than allowed on their paths (continuous detection);
///    where there are none, find every two triangles that intersect at the end
/// 2  move the ends by impulses:  min |z|²_M   so that   nᵢ · (p − q) ≥ δᵢ   for all hits so far;   z = M⁻¹ Σ Jᵢᵀ λᵢ,  λᵢ ≥ 0
/// 3  repeat from 1, until there are no hits
/// 4  after too many rounds, without impulses: the nodes of colliding features move as rigid zones that grow until there are no hits
/// 5  if pinned or prescribed parts leave no solution, bodies are rolled back along their paths, at last to the start
/// ```
///
/// - `z` change of the nodes at the end of the step, in m, `M` their masses in kg; `p`, `q` the points of a hit, `nᵢ` the
///   unit vector between them at its time, `δᵢ` the required distance, in m
///
/// Impulses are inelastic and equal on both sides, so momentum is conserved (Bridson et al. 2002, section 7). All hits stay in the
/// system until the step is done, as in the zones of Harmon et al. 2008, but impulses only push, so that nothing sticks together. Zones
/// conserve momentum too. Velocities change by z/h. Rollback costs momentum, and the report counts it.
///
/// The guarantee: if no two triangles of two surfaces intersect at the start of the step, none do at the end. It does not depend on the paths: the ends are
/// examined by the same test as the starts, and the next step starts where this one ends. Two surfaces that
/// intersect at the start are left out of the correction with each other, so that they can separate. Prescribed surfaces are not
/// stopped: a body crushed between two of them, or two of them in collision, is reported.
#[derive(Debug, Clone, Default)]
pub struct ContinuousContact {
    pub(super) swept_surfaces: Vec<SweptSurface>,
    pairs: BodyPairs,
    boxes: Vec<Aabb>,
    /// Pairs of surfaces that intersect at the start, in ascending order.
    left_out: Vec<[u32; 2]>,
    /// Pairs of surfaces that do not, in ascending order.
    sound: Vec<[u32; 2]>,
    searches: Vec<PairSearch>,
    /// True if pairs that intersect at the start are searched, too.
    pub(super) also_intersecting: bool,
    pub(super) hits: Vec<SweptHit>,
    /// Pairs of surfaces with hits that remain from the last search, in ascending order.
    hit_pairs: Vec<[u32; 2]>,
    earliest: EarliestHits,
    /// Hits of fast bodies in this step, and the part of its path that each surface can move.
    pub(super) fast: Vec<SweptHit>,
    pub(super) shares: Vec<f64>,
    /// Surfaces whose motion ended early in this step.
    pub(super) held: Vec<u32>,
    pub(super) impulses: ImpulseSystem,
    zones: ImpactZones,
    pub(super) balance: Balance,
}

/// Largest number of rounds of impulses before zones are used.
const IMPULSE_ROUNDS: u32 = 6;

/// Hits of a round over those of the first above which impulses do more harm than good.
const DIVERGED_RATIO: usize = 2;

/// Number of hits that impulses may create, however few there were at first.
const FEW_HITS: usize = 64;

/// Largest number of rounds in which zones grow before bodies are rolled back.
const ZONE_ROUNDS: u32 = 32;

impl ContinuousContact {
    /// Corrects the ends of a step. Surfaces that meet do not pass through each other, and stay about `separation` apart.
    pub fn resolve(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
    ) -> ContinuousReport {
        let mut report = ContinuousReport::default();
        self.begin(surfaces, false);
        self.detect(surfaces, rules, &mut report);
        self.hold_back(surfaces, rules, &mut report);
        self.apply_impulses(surfaces, rules, &mut report);
        if !self.hits.is_empty() {
            self.grow_zones(surfaces, rules, &mut report);
        }
        if !self.hits.is_empty() {
            self.roll_back(surfaces, rules, &mut report);
        }
        self.swept_surfaces
            .iter()
            .zip(&mut *surfaces)
            .for_each(|(swept, surface)| swept.finish(surface, rules.h));
        // What was rolled back has lost its momentum.
        if report.rolled_back > 0 {
            self.balance.begin(surfaces);
        }
        report.left_out = self.left_out.len();
        report
    }

    /// Keeps only fast bodies from passing through others: ends their motion where they hit something. Slower ones may sink into each other.
    pub fn stop_fast(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
    ) -> ContinuousReport {
        let mut report = ContinuousReport::default();
        self.begin(surfaces, true);
        self.detect(surfaces, rules, &mut report);
        self.hold_back(surfaces, rules, &mut report);
        report.left_out = self.left_out.len();
        report
    }

    /// The surfaces whose motion ended early in the last step, by their indices.
    pub fn held_back(&self) -> &[u32] {
        &self.held
    }

    /// Surfaces that pushed others in this step, and the nodes of each where nothing had pushed it, in m.
    pub fn pushed(&self) -> impl Iterator<Item = (usize, &[DVec3])> {
        self.balance.pushed().map(|surface| (surface, self.swept_surfaces[surface].free()))
    }

    /// Keeps the momenta of surfaces that pushed each other, and lets their energy not rise; each has gained this potential energy, elastic energy
    /// included, in J.
    pub fn keep_balance(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        gained: impl Fn(usize) -> f64,
    ) {
        self.balance.keep(surfaces, gained);
    }

    /// Pairs of surfaces with impulses in the last step, and the impulse on the first of them, in N·s.
    pub fn impulses(&self, h: f64) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.impulses.impulses().map(move |(surfaces, push)| (surfaces, push / h))
    }

    fn begin(&mut self, surfaces: &[ContinuousSurface<'_>], also_intersecting: bool) {
        self.also_intersecting = also_intersecting;
        self.swept_surfaces.truncate(surfaces.len());
        for (index, surface) in surfaces.iter().enumerate() {
            match self.swept_surfaces.get_mut(index) {
                Some(swept) => swept.begin(surface),
                None => self.swept_surfaces.push(SweptSurface::new(surface)),
            }
        }
        self.impulses.begin(&self.swept_surfaces);
        self.balance.begin(surfaces);
        self.hits.clear();
        self.left_out.clear();
        self.sound.clear();
    }

    /// Rounds of impulses, until there are no hits or the rounds are used up.
    fn apply_impulses(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
        report: &mut ContinuousReport,
    ) {
        // Impulses that create more hits than they remove do not converge.
        let most = (self.hits.len() * DIVERGED_RATIO).max(FEW_HITS);
        while !self.hits.is_empty() && self.hits.len() <= most && report.rounds < IMPULSE_ROUNDS {
            report.rounds += 1;
            self.balance.join(&self.hits);
            self.impulses.add(self.earliest.of(&self.hits), surfaces, &self.swept_surfaces, rules);
            self.impulses.solve();
            for (index, (swept, surface)) in
                self.swept_surfaces.iter_mut().zip(&mut *surfaces).enumerate()
            {
                swept.apply(surface, self.impulses.shift(index));
            }
            self.mark_hits_changed();
            self.detect(surfaces, rules, report);
        }
        report.contacts = self.impulses.len();
    }

    /// Zones that grow, until there are no hits or no change. Impulses are discarded first: those that failed can be arbitrarily
    /// large, and zones, which only slow nodes down, need none.
    fn grow_zones(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
        report: &mut ContinuousReport,
    ) {
        for (swept, surface) in self.swept_surfaces.iter_mut().zip(&mut *surfaces) {
            swept.release(surface);
        }
        self.impulses.begin(&self.swept_surfaces);
        self.zones.begin(surfaces);
        self.detect(surfaces, rules, report);
        for _ in 0..ZONE_ROUNDS {
            if self.hits.is_empty() || !self.zones.absorb(&self.hits, surfaces) {
                break;
            }
            report.zone_rounds += 1;
            self.balance.join(&self.hits);
            report.zoned = self.zones.apply(surfaces, &mut self.swept_surfaces);
            self.mark_hits_changed();
            self.detect(surfaces, rules, report);
        }
    }

    /// Marks all surfaces with hits as changed, so that they are searched again even if they did not move.
    pub(super) fn mark_hits_changed(&mut self) {
        for surface in self.hits.iter().flat_map(|hit| hit.surfaces) {
            self.swept_surfaces[surface as usize].changed = true;
        }
    }

    /// Finds all hits: those of features that moved since the last search are found again, the others remain.
    pub(super) fn detect(
        &mut self,
        surfaces: &[ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
        report: &mut ContinuousReport,
    ) {
        let prepare = |(surface, swept): (usize, &mut SweptSurface)| {
            swept.refit(rules.separation);
            if rules.meet(surface as u32, surface as u32) {
                swept.prepare_clearance(rules.separation);
            }
        };
        // Outside of the pool, waking its threads takes longer than the search.
        let alone = rayon::current_thread_index().is_none();
        match alone {
            true => self.swept_surfaces.iter_mut().enumerate().for_each(prepare),
            false => self.swept_surfaces.par_iter_mut().enumerate().for_each(prepare),
        }
        self.keep_hits();
        let count = self.prepare_searches(surfaces, rules);
        let (searches, swept_surfaces) = (&mut self.searches[..count], &self.swept_surfaces);
        let search = |search: &mut PairSearch| search.run(swept_surfaces, rules.separation);
        match alone {
            true => searches.iter_mut().for_each(search),
            false => searches.par_iter_mut().for_each(search),
        }
        report.tests += count;
        self.collect(count);
        self.swept_surfaces.iter_mut().for_each(|swept| swept.changed = false);
    }

    /// Keeps the hits of features that did not move since the last search.
    fn keep_hits(&mut self) {
        let Self { hits, swept_surfaces, hit_pairs, .. } = self;
        hits.retain(|hit| hit.remains(swept_surfaces));
        hit_pairs.clear();
        hit_pairs.extend(hits.iter().map(|hit| hit.surfaces));
        hit_pairs.sort_unstable();
        hit_pairs.dedup();
    }

    /// Prepares a search for every pair of surfaces that needs one; returns their number.
    fn prepare_searches(
        &mut self,
        surfaces: &[ContinuousSurface<'_>],
        rules: &ContinuousRules<'_>,
    ) -> usize {
        self.boxes.clear();
        self.boxes.extend(self.swept_surfaces.iter().map(SweptSurface::bounds));
        let own = (0..self.swept_surfaces.len() as u32).map(|k| [k, k]);
        let pairs = own.chain(self.pairs.find(&self.boxes).iter().copied());
        let mut count = 0;
        for [a, b] in pairs.filter(|[a, b]| rules.meet(*a, *b)) {
            let (first, second) =
                (&self.swept_surfaces[a as usize], &self.swept_surfaces[b as usize]);
            let carried =
                surfaces[a as usize].is_prescribed() && surfaces[b as usize].is_prescribed();
            let own = a == b && (first.rigid.is_some() || first.clearance.is_ample());
            let left_out = self.left_out.binary_search(&[a, b]).is_ok();
            if SweptSurface::are_idle(first, second)
                || carried
                || own
                || left_out && !self.also_intersecting
            {
                continue;
            }
            if self.searches.len() == count {
                self.searches.push(PairSearch::default());
            }
            self.searches[count].surfaces = [a, b];
            let known = left_out || self.sound.binary_search(&[a, b]).is_ok();
            self.searches[count].sound = known.then_some(!left_out);
            self.searches[count].also_intersecting = self.also_intersecting;
            self.searches[count].has_hits = self.hit_pairs.binary_search(&[a, b]).is_ok();
            count += 1;
        }
        count
    }

    /// Adds the hits of all searches, in their order.
    fn collect(&mut self, count: usize) {
        for search in &self.searches[..count] {
            self.hits.extend_from_slice(&search.hits);
            let known =
                if search.sound == Some(true) { &mut self.sound } else { &mut self.left_out };
            if let Err(place) = known.binary_search(&search.surfaces) {
                known.insert(place, search.surfaces);
            }
        }
    }
}
