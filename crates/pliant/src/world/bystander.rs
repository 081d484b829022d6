//! A body that takes part in a joint solve without being solved for.

use glam::DVec3;

use crate::body::{Body, Unknowns};
use crate::math::Mat3;

/// What XPBD and explicit bodies are in the joint solve of those that touch them: the masses of their nodes, and nothing that
/// holds those together. They give way to what pushes them as masses do within the step, so that the forces that are found are ones that they
/// can bear; their own steppers then take these forces as given.
///
/// (If they were taken to move on as they do, like something with infinite mass, a long step would find forces that throw them away.)
#[derive(Debug, Clone)]
pub(super) struct Bystander {
    unknowns: Unknowns,
    masses: Vec<f64>,
    v: Vec<DVec3>,
    missing: Vec<DVec3>,
    /// One over the diagonal.
    weights: Vec<f64>,
}

impl Bystander {
    pub(super) fn of(body: &Body) -> Self {
        let unknowns = Unknowns::with_pins(body.state.x.len(), body.pins());
        let (v, missing, masses, weights) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { unknowns, masses, v, missing, weights }
    }

    /// Begins a joint solve with the velocities that the body has.
    pub(super) fn open(&mut self, body: &Body) {
        let masses = body.model().masses();
        self.masses.clear();
        self.masses.extend(self.unknowns.nodes().iter().map(|node| masses[*node as usize]));
        self.weights.clear();
        self.weights.extend(self.masses.iter().map(|mass| 1.0 / mass));
        self.v.clone_from(&body.state.v);
        self.missing.clear();
        self.missing.resize(self.v.len(), DVec3::ZERO);
    }

    pub(super) fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    pub(super) fn velocities(&self) -> &[DVec3] {
        &self.v
    }

    pub(super) fn missing(&mut self) -> &mut [DVec3] {
        &mut self.missing
    }

    pub(super) fn reduce_missing(&self, b: &mut [DVec3]) {
        self.unknowns.reduce(&self.missing, b);
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    pub(super) fn stiffen(&mut self, unknown: usize, block: &Mat3) {
        let weight = &mut self.weights[unknown];
        *weight = 1.0 / (1.0 / *weight + block.trace() / 3.0);
    }

    pub(super) fn apply(&self, p: &[DVec3], product: &mut [DVec3]) {
        for ((product, p), mass) in product.iter_mut().zip(p).zip(&self.masses) {
            *product = *mass * *p;
        }
    }

    pub(super) fn precondition(&self, r: &[DVec3], z: &mut [DVec3]) {
        for ((z, r), weight) in z.iter_mut().zip(r).zip(&self.weights) {
            *z = *weight * *r;
        }
    }

    pub(super) fn take(&mut self, change: &[DVec3]) {
        for (node, change) in self.unknowns.nodes().iter().zip(change) {
            self.v[*node as usize] += *change;
        }
    }
}
