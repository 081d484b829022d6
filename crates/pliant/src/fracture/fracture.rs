//! Finding where a body breaks, and breaking it.

use glam::DVec3;

use crate::body::{Body, Model};
use crate::math::SplitMix;
use crate::mesh::Part;

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
        self.openings.clear();
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
        self.ready = false;
    }
}
