//! A body that takes part in a joint solve with its masses only.

use glam::DVec3;

use crate::body::{Body, Unknowns};
use pliant_kernels::math::Mat3;

/// The impulses of a joint solve are not used if their sum is more than this many times that of the changes of momentum.
const TOO_LARGE: f64 = 2.0;

/// Size of impulses, over the momentum of the body, up to which they are always used.
const SMALL: f64 = 1e-6;

/// The stand-in of an XPBD or explicit body in the joint solve of the bodies that touch it: the masses of its nodes, without
/// elasticity.
///
/// The nodes give way as free masses do within the step, so that contact forces stay moderate; the body's own stepper then
/// applies their impulses, evenly over its step. (With infinite mass instead, a long step would find forces that throw the body away.)
#[derive(Debug, Clone)]
pub(crate) struct MassOnlyMember {
    unknowns: Unknowns,
    masses: Vec<f64>,
    v: Vec<DVec3>,
    /// Impulses on its nodes in the joint solves of this step, in N s.
    impulses: Vec<DVec3>,
    /// Impulses of contacts and attachments in the present solve, in N s.
    found: Vec<DVec3>,
    residual: Vec<DVec3>,
    /// One over the diagonal.
    weights: Vec<f64>,
}

impl MassOnlyMember {
    pub(crate) fn new(body: &Body) -> Self {
        let unknowns = Unknowns::with_pins(body.state.x.len(), body.pins());
        let (v, impulses, found, residual) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (masses, weights) = (Vec::new(), Vec::new());
        Self { unknowns, masses, v, impulses, found, residual, weights }
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

    /// Begins a step.
    pub(crate) fn clear_impulses(&mut self, body: &Body) {
        self.impulses.clear();
        self.impulses.resize(body.state.x.len(), DVec3::ZERO);
        self.found.clear();
        self.found.resize(body.state.x.len(), DVec3::ZERO);
    }

    /// Adds the impulse of a contact or an attachment that a joint solve has found.
    pub(crate) fn add_impulse(&mut self, weights: &[(u32, f64)], impulse: DVec3) {
        for (node, weight) in weights {
            self.found[*node as usize] += *weight * impulse;
        }
    }

    /// Ends a joint solve. Its impulses are those of the contacts, in balance with those on the other bodies to the last bit. A solve
    /// that stops early can leave contact forces of any size: if they are far larger than what has changed the velocities, the
    /// impulses are those that did.
    pub(crate) fn close(&mut self, body: &Body) {
        let Self { unknowns, masses, v, impulses, found, .. } = self;
        let changes = || {
            let nodes = unknowns.nodes().iter().map(|node| *node as usize).zip(masses.iter());
            nodes.map(|(node, mass)| (node, *mass * (v[node] - body.state.v[node])))
        };
        let own = unknowns.nodes().iter().zip(masses.iter());
        let momentum: f64 = own.map(|(node, m)| m * body.state.v[*node as usize].length()).sum();
        let change: f64 = changes().map(|(_, change)| change.length()).sum();
        let size: f64 = found.iter().map(|impulse| impulse.length()).sum();
        let sound = size <= TOO_LARGE * change + SMALL * momentum;
        for (node, change) in changes() {
            impulses[node] += if sound { found[node] } else { change };
        }
        found.fill(DVec3::ZERO);
    }

    /// The impulses on its nodes, in N s.
    pub(crate) fn impulses(&self) -> impl Iterator<Item = (u32, DVec3)> {
        let impulses = (0u32..).zip(self.impulses.iter().copied());
        impulses.filter(|(_, impulse)| *impulse != DVec3::ZERO)
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
