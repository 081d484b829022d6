//! A body that takes part in a joint solve with its masses only.

use glam::DVec3;

use crate::body::{Body, Unknowns};
use pliant_kernels::math::Mat3;

/// The stand-in of an XPBD or explicit body in the joint solve of the bodies that touch it: the masses of its nodes, without
/// elasticity.
///
/// The nodes give way as free masses do within the step, so that contact forces stay moderate; the body's own stepper then
/// applies these forces. (With infinite mass instead, a long step would find forces that throw the body away.)
#[derive(Debug, Clone)]
pub(crate) struct MassOnlyMember {
    unknowns: Unknowns,
    masses: Vec<f64>,
    v: Vec<DVec3>,
    residual: Vec<DVec3>,
    /// One over the diagonal.
    weights: Vec<f64>,
}

impl MassOnlyMember {
    pub(crate) fn new(body: &Body) -> Self {
        let unknowns = Unknowns::with_pins(body.state.x.len(), body.pins());
        let (v, residual, masses, weights) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { unknowns, masses, v, residual, weights }
    }

    /// Begins a joint solve with the present velocities of the body.
    pub(crate) fn open(&mut self, body: &Body) {
        let masses = body.model().masses();
        self.masses.clear();
        self.masses.extend(self.unknowns.nodes().iter().map(|node| masses[*node as usize]));
        self.weights.clear();
        self.weights.extend(self.masses.iter().map(|mass| 1.0 / mass));
        self.v.clone_from(&body.state.v);
        self.residual.clear();
        self.residual.resize(self.v.len(), DVec3::ZERO);
    }

    pub(crate) fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    pub(crate) fn velocities(&self) -> &[DVec3] {
        &self.v
    }

    pub(crate) fn residual(&mut self) -> &mut [DVec3] {
        &mut self.residual
    }

    pub(crate) fn reduce_residual(&self, b: &mut [DVec3]) {
        self.unknowns.reduce(&self.residual, b);
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(crate) fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    pub(crate) fn add_diagonal(&mut self, unknown: usize, block: &Mat3) {
        let weight = &mut self.weights[unknown];
        *weight = 1.0 / (1.0 / *weight + block.trace() / 3.0);
    }

    pub(crate) fn apply(&self, p: &[DVec3], product: &mut [DVec3]) {
        for ((product, p), mass) in product.iter_mut().zip(p).zip(&self.masses) {
            *product = *mass * *p;
        }
    }

    pub(crate) fn precondition(&self, r: &[DVec3], z: &mut [DVec3]) {
        for ((z, r), weight) in z.iter_mut().zip(r).zip(&self.weights) {
            *z = *weight * *r;
        }
    }

    pub(crate) fn add_velocity(&mut self, change: &[DVec3]) {
        for (node, change) in self.unknowns.nodes().iter().zip(change) {
            self.v[*node as usize] += *change;
        }
    }
}
