//! Finds the places where a body breaks, and breaks it.

use glam::DVec3;

use crate::body::{Body, Model};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use pliant_kernels::math::SplitMix;
use pliant_mesh::mesh::Fragment;

use super::cutting::Cutting;
use super::parts::parts;
use super::separation::{Parting, Separation};
use super::stars::Stars;
use super::strengths::{Strength, strengths};

/// Searches a body for breaks, and owns the buffers for it.
#[derive(Debug, Clone, Default)]
pub struct Fracture {
    /// The cells around the corners of the prepared mesh.
    stars: Stars,
    strengths: Vec<Strength>,
    separation: Separation,
    ready: bool,
    /// Openings found in the last step, strongest first.
    openings: Vec<Opening>,
    /// Steps for which they have been postponed.
    waited: u32,
}

/// A corner at which the tensile stress exceeds the strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opening {
    /// The node of the corner.
    pub node: u32,
    /// Its position, in m.
    pub point: DVec3,
    /// The normal of the plane along which the corner opens.
    pub normal: DVec3,
    /// Tensile stress, in Pa.
    pub stress: f64,
    /// Tensile stress over strength.
    pub ratio: f64,
    /// The order of openings: the ratio, with a random change that decides between nearly equal ones.
    pub(crate) rank: f64,
}

/// The fragments of a body that broke.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    /// The fragments, ordered by their first cells; a single one if the cracks do not go through.
    pub(crate) parts: Vec<Fragment>,
    /// The openings that were used.
    pub(crate) taken: Vec<Opening>,
}

/// Largest random change of a ratio, as a share of it: equal corners of a regular mesh do not break in the order of
/// their numbers.
const CHANCE: f64 = 0.02;

impl Fracture {
    /// Finds the corners at which the tensile stress exceeds the strength; `seed` decides between equally stressed
    /// ones.
    pub fn look(&mut self, body: &Body, seed: u64) -> &[Opening] {
        self.find_none();
        if !body.model().is_breakable() || !body.state.is_finite() {
            return &self.openings;
        }
        self.make_ready(body.model());
        let Self { stars, strengths, separation, openings, .. } = self;
        let x = &body.state.x;
        let found = separation.find(body.rest_shape(), x, stars, strengths);
        openings.extend(found.map(|parting| {
            let Parting { node, ratio, stress, normal } = *parting;
            let chance = SplitMix::new(seed ^ u64::from(node) << 32).signed_unit();
            let rank = ratio * (1.0 + CHANCE * chance);
            Opening { node, point: x[node as usize], normal, stress, ratio, rank }
        }));
        openings.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank).then(a.node.cmp(&b.node)));
        openings
    }

    /// Clears the openings without a search.
    pub fn find_none(&mut self) {
        self.openings.clear();
        self.waited = 0;
    }

    /// Postpones the openings to a later step. No new search happens until then, because a blow would be over.
    pub(crate) fn put_off(&mut self) {
        self.waited = self.waited.saturating_add(1);
    }

    /// Makes the next step search again.
    pub(crate) fn wait_no_more(&mut self) {
        self.waited = 0;
    }

    /// Steps for which the openings have been postponed.
    pub(crate) fn waited(&self) -> u32 {
        self.waited
    }

    /// The openings found last, strongest first.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Breaks a body at the first `count` openings that can open; `None` if no opening can.
    pub(crate) fn take(&self, body: &Body, count: usize) -> Option<Broken> {
        let model = body.model();
        let mut cutting = Cutting::new(model.mesh());
        let holds = |cell: u32| model.material(cell as usize).breaks().is_none();
        let split =
            |opening: &&Opening| cutting.split(opening.node, opening.normal, &body.state.x, holds);
        // Openings that cannot open do not count: they would block the others in every step.
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

    /// Discards the data prepared for a body, because the body has changed.
    pub fn forget(&mut self) {
        self.find_none();
        self.ready = false;
    }
}

/// Bytes of an opening.
const OPENING: usize = 4 + 9 * 8;

/// Saves postponed openings; everything else is found again in every step.
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
