//! Steps that let nothing through.

use glam::DVec3;
use rayon::prelude::*;

use crate::contact::detect::body_pairs::BodyPairs;
use crate::geometry::Aabb;

use super::earliest_hits::EarliestHits;
use super::impact_zones::ImpactZones;
use super::impacts::{self, SweptHit};
use super::impulses::ImpulseSystem;
use super::report::ContinuousReport;
use super::surface::ContinuousSurface;
use super::swept_surface::SweptSurface;

/// Corrects the ends of steps so that no two triangles of skins go through each other.
///
/// ```text
/// 1  find every vertex and triangle, and every two edges, that come nearer than allowed on their way (continuous detection)
/// 2  move the ends by impulses:  min |z|²_M   so that   nᵢ · (p − q) ≥ δᵢ   for all found so far;   z = M⁻¹ Σ Jᵢᵀ λᵢ,  λᵢ ≥ 0
/// 3  again from 1, until nothing is found
/// 4  after too many rounds, without impulses: the nodes of what collides move as one, in zones that grow until nothing is found
/// 5  if something that is pinned or carried leaves no way even then, bodies go back along theirs, at last to where they began
/// ```
///
/// - `z` change of the nodes at the end of the step, in m, `M` their masses in kg; `p`, `q` the points that met, `nᵢ` the
///   unit vector between them when they did, `δᵢ` the distance asked for, in m
///
/// Impulses are inelastic and act equally on both sides, so momentum is kept (Bridson et al. 2002, section 7); all that
/// were found stay in the system until the step is done, as in the zones of Harmon et al. 2008, but push only, so that
/// nothing is glued together. ImpactZones keep momentum too. Velocities change by z/h. Going back does cost momentum, and the
/// report tells of it.
///
/// The promise: if no two triangles of two surfaces intersect at the begin of the step, none do at the end. Two surfaces that
/// do intersect at the begin are left alone with each other, so that they can come apart. Nothing stops what is carried:
/// where something is crushed between two such things, or a carried thing meets another, the report tells so.
#[derive(Debug, Clone, Default)]
pub struct ContinuousContact {
    pub(super) swept_surfaces: Vec<SweptSurface>,
    pairs: BodyPairs,
    boxes: Vec<Aabb>,
    /// Pairs of surfaces that intersect at the begin, rising.
    left_out: Vec<[u32; 2]>,
    /// Pairs of surfaces that do not.
    sound: Vec<[u32; 2]>,
    searches: Vec<PairSearch>,
    pub(super) hits: Vec<SweptHit>,
    earliest: EarliestHits,
    impulses: ImpulseSystem,
    zones: ImpactZones,
}

/// Two surfaces to be looked at, side by side with others.
#[derive(Debug, Clone, Default)]
struct PairSearch {
    surfaces: [u32; 2],
    /// Whether they do not intersect at the begin; not known when first asked in a step.
    sound: Option<bool>,
    hits: Vec<SweptHit>,
}

impl PairSearch {
    fn run(&mut self, swept_surfaces: &[SweptSurface], separation: f64) {
        self.hits.clear();
        let [a, b] = self.surfaces;
        let (first, second) = (&swept_surfaces[a as usize], &swept_surfaces[b as usize]);
        let is_sound =
            || if a == b { first.clearance.is_sound() } else { !first.intersects(second) };
        if *self.sound.get_or_insert_with(is_sound) {
            impacts::find([first, second], self.surfaces, separation, &mut self.hits);
        }
    }
}

/// Rounds of impulses before nodes move as one.
const IMPULSE_ROUNDS: u32 = 6;

/// When a round leads to so many times as much as met at first, impulses do more harm than good.
const DIVERGED_RATIO: usize = 2;

/// Rounds in which zones grow before bodies are set back.
const ZONE_ROUNDS: u32 = 32;

impl ContinuousContact {
    /// Corrects the ends of a step of `h` seconds. Surfaces for whose numbers `meets` is true do not pass through each other
    /// (nor through themselves, when asked with the same number twice), and stay about `separation` apart, in m: much
    /// less than a triangle is long, much more than rounding.
    pub fn resolve(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        meets: impl Fn(u32, u32) -> bool + Sync,
        separation: f64,
        h: f64,
    ) -> ContinuousReport {
        let mut report = ContinuousReport::default();
        self.begin(surfaces);
        self.push_apart(surfaces, &meets, separation, &mut report);
        if !self.hits.is_empty() {
            self.move_as_one(surfaces, &meets, separation, &mut report);
        }
        if !self.hits.is_empty() {
            self.roll_back(surfaces, &meets, separation, &mut report);
        }
        self.swept_surfaces
            .iter()
            .zip(surfaces)
            .for_each(|(swept, surface)| swept.finish(surface, h));
        report.left_out = self.left_out.len();
        report
    }

    /// The surfaces that met in the last step and the impulse on the first of them, in N·s.
    pub fn impulses(&self, h: f64) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.impulses.impulses().map(move |(surfaces, push)| (surfaces, push / h))
    }

    fn begin(&mut self, surfaces: &[ContinuousSurface<'_>]) {
        self.swept_surfaces.truncate(surfaces.len());
        for (index, surface) in surfaces.iter().enumerate() {
            match self.swept_surfaces.get_mut(index) {
                Some(swept) => swept.begin(surface),
                None => self.swept_surfaces.push(SweptSurface::new(surface)),
            }
        }
        self.impulses.begin(&self.swept_surfaces);
        self.left_out.clear();
        self.sound.clear();
    }

    /// Rounds of impulses, until nothing meets or it takes too long.
    fn push_apart(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        meets: &(impl Fn(u32, u32) -> bool + Sync),
        separation: f64,
        report: &mut ContinuousReport,
    ) {
        self.detect(surfaces, meets, separation, report);
        let most = self.hits.len() * DIVERGED_RATIO;
        while !self.hits.is_empty() && self.hits.len() <= most && report.rounds < IMPULSE_ROUNDS {
            report.rounds += 1;
            self.impulses.add(
                self.earliest.of(&self.hits),
                surfaces,
                &self.swept_surfaces,
                separation,
            );
            self.impulses.solve();
            for (index, (swept, surface)) in
                self.swept_surfaces.iter_mut().zip(&mut *surfaces).enumerate()
            {
                swept.apply(surface, self.impulses.shift(index));
            }
            self.look_again();
            self.detect(surfaces, meets, separation, report);
        }
        report.contacts = self.impulses.len();
    }

    /// ImpactZones that grow, until nothing meets or what is held leaves no way. Impulses that did not do are taken back: those
    /// that push to and fro in vain are as large as they like, and zones, which can only slow things down, need none.
    fn move_as_one(
        &mut self,
        surfaces: &mut [ContinuousSurface<'_>],
        meets: &(impl Fn(u32, u32) -> bool + Sync),
        separation: f64,
        report: &mut ContinuousReport,
    ) {
        for (swept, surface) in self.swept_surfaces.iter_mut().zip(&mut *surfaces) {
            swept.release(surface);
        }
        self.impulses.begin(&self.swept_surfaces);
        self.zones.begin(surfaces);
        self.detect(surfaces, meets, separation, report);
        for _ in 0..ZONE_ROUNDS {
            if self.hits.is_empty() || !self.zones.take_in(&self.hits, surfaces) {
                break;
            }
            report.zone_rounds += 1;
            report.zoned = self.zones.apply(surfaces, &mut self.swept_surfaces);
            self.look_again();
            self.detect(surfaces, meets, separation, report);
        }
    }

    /// All that met is looked at again, even if nothing was moved.
    fn look_again(&mut self) {
        for surface in self.hits.iter().flat_map(|hit| hit.surfaces) {
            self.swept_surfaces[surface as usize].changed = true;
        }
    }

    /// Finds all that meets between surfaces of which at least one moved otherwise than when last asked.
    pub(super) fn detect(
        &mut self,
        surfaces: &[ContinuousSurface<'_>],
        meets: &(impl Fn(u32, u32) -> bool + Sync),
        separation: f64,
        report: &mut ContinuousReport,
    ) {
        self.swept_surfaces.par_iter_mut().enumerate().for_each(|(surface, swept)| {
            swept.refit(separation);
            if meets(surface as u32, surface as u32) {
                swept.prepare_clearance(separation);
            }
        });
        let count = self.choose(surfaces, meets);
        let (searches, swept_surfaces) = (&mut self.searches[..count], &self.swept_surfaces);
        searches.par_iter_mut().for_each(|search| search.run(swept_surfaces, separation));
        report.tests += count;
        self.collect(count);
        self.swept_surfaces.iter_mut().for_each(|swept| swept.changed = false);
    }

    /// Makes a search of every two surfaces that have to be looked at; returns how many.
    fn choose(
        &mut self,
        surfaces: &[ContinuousSurface<'_>],
        meets: &impl Fn(u32, u32) -> bool,
    ) -> usize {
        self.boxes.clear();
        self.boxes.extend(self.swept_surfaces.iter().map(SweptSurface::bounds));
        let own = (0..self.swept_surfaces.len() as u32).map(|k| [k, k]);
        let pairs = own.chain(self.pairs.find(&self.boxes).iter().copied());
        let mut count = 0;
        for [a, b] in pairs.filter(|[a, b]| meets(*a, *b)) {
            let (first, second) =
                (&self.swept_surfaces[a as usize], &self.swept_surfaces[b as usize]);
            let idle = !(first.changed || second.changed);
            let carried =
                surfaces[a as usize].is_prescribed() && surfaces[b as usize].is_prescribed();
            let own = a == b && (first.rigid.is_some() || first.clearance.is_roomy());
            if idle || carried || own || self.left_out.binary_search(&[a, b]).is_ok() {
                continue;
            }
            if self.searches.len() == count {
                self.searches.push(PairSearch::default());
            }
            self.searches[count].surfaces = [a, b];
            self.searches[count].sound = self.sound.binary_search(&[a, b]).is_ok().then_some(true);
            count += 1;
        }
        count
    }

    /// Puts together what the searches have found, in their order.
    fn collect(&mut self, count: usize) {
        self.hits.clear();
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
