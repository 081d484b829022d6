//! Finding where a body breaks, and breaking it.

use glam::DVec3;

use crate::body::{Body, Model};
use crate::math::SplitMix;
use crate::mesh::Part;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::cutting::Cutting;
use super::parts::parts;
use super::separation::{Parting, Separation};
use super::stars::Stars;
use super::strengths::{Strength, strengths};

/// Looks for breaks in a body, and owns the buffers for it.
#[derive(Debug, Clone, Default)]
pub struct Fracture {
    /// Those of the mesh that it was readied for.
    stars: Stars,
    strengths: Vec<Strength>,
    separation: Separation,
    ready: bool,
    /// What was found in the last step, strongest first.
    openings: Vec<Opening>,
    /// Steps for which that has been put off.
    waited: u32,
}

/// Somewhere where a body is pulled apart by more than it bears.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opening {
    /// The corner of the mesh, by its node.
    pub node: u32,
    /// Where that is, in m.
    pub point: DVec3,
    /// The normal of the plane along which it comes apart.
    pub normal: DVec3,
    /// Tensile stress, in Pa.
    pub stress: f64,
    /// That over what the matter bears there.
    pub ratio: f64,
    /// What decides which comes first: the ratio, and chance where it is nearly the same.
    pub(crate) rank: f64,
}

/// What a body has come apart into.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    /// Its parts, of which there may be but one, by their first cells.
    pub(crate) parts: Vec<Part>,
    /// The openings that were taken.
    pub(crate) taken: Vec<Opening>,
}

/// Share of the ratio by which chance may change the order: equal corners of an even mesh do not break in the order of their numbers.
const CHANCE: f64 = 0.02;

impl Fracture {
    /// Looks where a body is pulled apart by more than it bears; `seed` decides between places that are equally strained.
    pub fn look(&mut self, body: &Body, seed: u64) -> &[Opening] {
        self.find_none();
        if !body.model().is_breakable() || !body.state.is_finite() {
            return &self.openings;
        }
        self.make_ready(body.model());
        let Self { stars, strengths, separation, openings, .. } = self;
        let x = &body.state.x;
        let found = separation.find(body.model(), x, stars, strengths);
        openings.extend(found.map(|parting| {
            let Parting { node, ratio, stress, normal } = *parting;
            let chance = SplitMix::new(seed ^ u64::from(node) << 32).signed_unit();
            let rank = ratio * (1.0 + CHANCE * chance);
            Opening { node, point: x[node as usize], normal, stress, ratio, rank }
        }));
        openings.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank).then(a.node.cmp(&b.node)));
        openings
    }

    /// Finds nothing, without looking.
    pub fn find_none(&mut self) {
        self.openings.clear();
        self.waited = 0;
    }

    /// Puts off what was found to a later step, in which nothing else is looked for: a blow is long over then.
    pub(crate) fn put_off(&mut self) {
        self.waited = self.waited.saturating_add(1);
    }

    /// Lets the next step look again.
    pub(crate) fn wait_no_more(&mut self) {
        self.waited = 0;
    }

    /// For how many steps what was found has been put off.
    pub(crate) fn waited(&self) -> u32 {
        self.waited
    }

    /// What was found last, strongest first.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Breaks a body at the first so many of the places that were found and can come apart; nothing if none can.
    pub(crate) fn take(&self, body: &Body, count: usize) -> Option<Broken> {
        let model = body.model();
        let mut cutting = Cutting::new(model.mesh());
        let holds = |cell: u32| model.material(cell as usize).breaks().is_none();
        let split =
            |opening: &&Opening| cutting.split(opening.node, opening.normal, &body.state.x, holds);
        // Places that cannot come apart do not count: else they would stand in the way of others in every step.
        let taken: Vec<Opening> = self.openings.iter().filter(split).take(count).copied().collect();
        if taken.is_empty() {
            return None;
        }
        Some(Broken { parts: parts(model.mesh(), cutting.neighbours()), taken })
    }

    fn make_ready(&mut self, model: &Model) {
        if std::mem::replace(&mut self.ready, true) {
            return;
        }
        self.stars = Stars::of(model);
        self.strengths = strengths(model, &self.stars);
        self.separation.ready(model, &self.stars);
        self.openings.reserve(self.stars.len());
    }

    /// Forgets the body it was readied for: it has changed.
    pub fn forget(&mut self) {
        self.find_none();
        self.ready = false;
    }
}

/// Bytes of an opening.
const OPENING: usize = 4 + 9 * 8;

/// What has been put off; all else is found anew in every step.
impl Persist for Fracture {
    fn save(&self, to: &mut Writer) {
        to.u32(self.waited);
        let openings = if self.waited > 0 { &self.openings[..] } else { &[] };
        to.u32(openings.len() as u32);
        for Opening { node, point, normal, stress, ratio, rank } in openings {
            to.u32(*node);
            to.vector(*point);
            to.vector(*normal);
            [*stress, *ratio, *rank].into_iter().for_each(|number| to.f64(number));
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.find_none();
        self.waited = from.u32()?;
        for _ in 0..from.count(OPENING)? {
            let (node, point, normal) = (from.u32()?, from.vector()?, from.vector()?);
            let (stress, ratio, rank) = (from.f64()?, from.f64()?, from.f64()?);
            self.openings.push(Opening { node, point, normal, stress, ratio, rank });
        }
        Ok(())
    }
}
