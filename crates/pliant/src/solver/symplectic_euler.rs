//! Symplectic Euler: the plain explicit reference that other steppers are held against.

use glam::DVec3;

use crate::body::{Body, Model, State};
use crate::force::{Elastic, Width};
use crate::math::TimeStep;
use crate::solver::External;
use crate::solver::push_points::PushPoints;

/// Steps a body in time, and owns the buffers for it.
///
/// ```text
/// v ← v / (1 + h d) + h (f(x)/m + g)        x ← x + h v
/// ```
///
/// - `h` the substep, in s; stable below 2/ω for the highest frequency ω ([`stable_step`])
/// - `f` elastic force, `m` lumped mass, `g` gravity, `d` velocity decay rate, in 1/s
///
/// Decay slows what moves and weakens no force, so that a body that something pushes rests where their
/// forces balance.
///
/// Forces on points of the skin may be stiff, and have no part in the stable step: each is implicit
/// in the velocity of its point.
#[derive(Debug, Clone)]
pub struct SymplecticEuler {
    elastic: Elastic,
    forces: Vec<DVec3>,
    push: PushPoints,
}

impl SymplecticEuler {
    /// Buffers for a body of this model.
    pub fn new(model: &Model) -> Self {
        let forces = vec![DVec3::ZERO; model.mesh().nodes.len()];
        let elastic = Elastic::new(model, Width::default());
        Self { elastic, forces, push: PushPoints::default() }
    }

    /// Advances `body` by a substep; returns the elastic energy before it, in J.
    pub fn substep(
        &mut self,
        body: &mut Body,
        step: TimeStep,
        External { gravity, damping, points }: External<'_>,
    ) -> f64 {
        let (h, model) = (step.h, body.model().clone());
        let energy = self.elastic.forces(&model, &body.state.x, &mut self.forces);
        let decay = 1.0 / (1.0 + h * damping);
        let State { x, v } = &mut body.state;
        for (v, (force, mass)) in v.iter_mut().zip(self.forces.iter().zip(model.masses())) {
            *v = *v * decay + h * (*force / *mass + gravity);
        }
        self.push.push(points, model.masses(), h, v);
        x.iter_mut().zip(v).for_each(|(x, v)| *x += h * *v);
        body.place_held(step);
        energy
    }
}

/// The largest stable step of symplectic Euler at rest, 2/ω, in s; infinite without stiffness.
///
/// ω² is the largest eigenvalue of M⁻¹K, by power iteration on differences of the elastic force.
/// A body that is squeezed gets stiffer, so take a fraction of it.
pub fn stable_step(model: &Model) -> f64 {
    const ITERATIONS: usize = 60;
    let model = &*model.unflowed();
    let mut stiffness = StiffnessAtRest::new(model);
    let mut direction: Vec<DVec3> = (0..model.masses().len()).map(alternating).collect();
    let mut squared_frequency = 0.0;
    for _ in 0..ITERATIONS {
        normalise(&mut direction);
        stiffness.apply(&mut direction);
        direction.iter_mut().zip(model.masses()).for_each(|(value, mass)| *value /= *mass);
        squared_frequency = root_mean_square(&direction);
    }
    2.0 / squared_frequency.sqrt()
}

/// K of a model at rest, by differences of the elastic force.
struct StiffnessAtRest<'a> {
    model: &'a Model,
    elastic: Elastic,
    /// How far nodes are moved, in m.
    nudge: f64,
    x: Vec<DVec3>,
    forces: Vec<DVec3>,
}

impl<'a> StiffnessAtRest<'a> {
    fn new(model: &'a Model) -> Self {
        let (low, high) = model.mesh().bounds();
        let nudge = 1e-6 * (high - low).length() / model.masses().len() as f64;
        let forces = vec![DVec3::ZERO; model.masses().len()];
        let elastic = Elastic::new(model, Width::default());
        Self { model, elastic, nudge, x: forces.clone(), forces }
    }

    /// Replaces d by K d = −(f(X + ε d) − f(X − ε d))/2ε.
    fn apply(&mut self, direction: &mut [DVec3]) {
        let mut product = vec![DVec3::ZERO; direction.len()];
        for sign in [1.0, -1.0] {
            let moves = direction.iter().map(|d| sign * self.nudge * *d);
            let moved = self.model.mesh().nodes.iter().zip(moves).map(|(rest, step)| *rest + step);
            self.x.iter_mut().zip(moved).for_each(|(x, moved)| *x = moved);
            self.elastic.forces(self.model, &self.x, &mut self.forces);
            product.iter_mut().zip(&self.forces).for_each(|(sum, f)| *sum -= sign * *f);
        }
        let scale = 1.0 / (2.0 * self.nudge);
        direction.iter_mut().zip(product).for_each(|(d, product)| *d = scale * product);
    }
}

/// Scales to a root mean square of 1, so that no power of the frequency overflows.
fn normalise(values: &mut [DVec3]) {
    let size = root_mean_square(values).max(f64::MIN_POSITIVE);
    values.iter_mut().for_each(|value| *value /= size);
}

/// A vector with a share in every motion, the same on every machine.
fn alternating(node: usize) -> DVec3 {
    let mix = |k: usize| {
        let hash = (3 * node + k) as u64 + 1;
        let hash = (hash ^ (hash >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    DVec3::new(mix(0), mix(1), mix(2))
}

fn root_mean_square(values: &[DVec3]) -> f64 {
    (values.iter().map(|value| value.length_squared()).sum::<f64>() / values.len() as f64).sqrt()
}
