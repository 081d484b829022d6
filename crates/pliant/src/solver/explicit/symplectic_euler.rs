//! Symplectic Euler: the explicit reference for the other steppers.

use glam::DVec3;

use crate::body::{Body, Model, RestShape, State};
use crate::force::{Elastic, Width};
use crate::solver::external::External;
use crate::solver::push_points::PushPoints;
use pliant_kernels::math::TimeStep;

/// Steps a body in time, and owns the buffers for it.
///
/// ```text
/// v ← v / (1 + h d) + h (f(x)/m + g)        x ← x + h v
/// ```
///
/// - `h` the substep, in s; stable below 2/ω for the highest frequency ω ([`stable_step`](crate::solver::stable_step))
/// - `f` elastic force, `m` lumped mass, `g` gravity, `d` velocity decay rate, in 1/s
///
/// Damping slows motion and weakens no force, so that a body rests where its forces balance.
///
/// Forces on points of the skin may be stiff. They do not reduce the stable step, because each is implicit in the
/// velocity of its point.
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

    /// The elastic energy of a body of this model with nodes at `x`, in J.
    pub(crate) fn elastic_energy(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        self.elastic.energy(rest, x)
    }

    /// Advances `body` by a substep; returns the elastic energy before it, in J.
    pub fn substep(
        &mut self,
        body: &mut Body,
        step: TimeStep,
        External { gravity, damping, points }: External<'_>,
    ) -> f64 {
        let (h, model) = (step.h, body.model().clone());
        let energy = self.elastic.forces(body.rest_shape(), &body.state.x, &mut self.forces);
        let decay = 1.0 / (1.0 + h * damping);
        let State { x, v, .. } = &mut body.state;
        for (v, (force, mass)) in v.iter_mut().zip(self.forces.iter().zip(model.masses())) {
            *v = *v * decay + h * (*force / *mass + gravity);
        }
        self.push.push(points, model.masses(), h, v);
        x.iter_mut().zip(v).for_each(|(x, v)| *x += h * *v);
        body.place_held(step);
        energy
    }
}
