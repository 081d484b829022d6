//! Extended position-based dynamics.

use glam::DVec3;
use pliant_kernels::xpbd::SharedPoints;

use crate::body::{Body, RestShape, State};
use crate::force::{Elastic, Width};
use crate::solver::config::MethodConfig;
use crate::solver::external::External;
use crate::solver::push_points::PushPoints;
use crate::solver::report::SweepReport;
use pliant_kernels::math::TimeStep;

use super::cell_constraints::{CellConstraints, ConstraintSweep};

/// Steps a body by solving the constraints of its cells, and owns the buffers for it.
///
/// ```text
/// x̃ = x₀ + h v₀ + h² g        solve C + α̃ λ = 0, cell after cell        v = (x − x₀)/h
/// ```
///
/// Saillant et al. 2024, algorithm 1. In the limit of many sweeps a substep is one of backward Euler; with few sweeps
/// the body is softer. Stiffness damping acts on the rate of each of the two constraints of a cell: it damps
/// oscillations of the body, but not all oscillations of the strain within a cell. Forces on points act last: they
/// change the velocities that result from the constraints.
#[derive(Debug, Clone)]
pub(crate) struct Xpbd {
    constraints: CellConstraints,
    points: SharedPoints,
    /// Positions at the start of the substep.
    start: Vec<DVec3>,
    push: PushPoints,
    elastic: Elastic,
}

impl Xpbd {
    /// Buffers for this body.
    pub(crate) fn new(body: &Body) -> Self {
        let model = body.model();
        let count = model.mesh().nodes.len();
        let mut inverse_masses: Vec<f64> = model.masses().iter().map(|mass| 1.0 / mass).collect();
        for node in body.pins().iter().flat_map(|pin| &pin.nodes) {
            inverse_masses[*node as usize] = 0.0;
        }
        let mut points = SharedPoints::new(count);
        points.weigh(inverse_masses.into_iter());
        let mut constraints = CellConstraints::new(model, Width::default());
        constraints.follow_flow(body.rest_shape());
        let start = vec![DVec3::ZERO; count];
        let elastic = Elastic::new(model, Width::default()).pointwise();
        Self { constraints, points, start, push: PushPoints::default(), elastic }
    }

    /// The elastic energy of this body with nodes at `x`, in J.
    pub(crate) fn elastic_energy(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        self.elastic.energy(rest, x)
    }

    /// Takes over the rest shapes of a body after plastic flow.
    pub(crate) fn follow_flow(&mut self, body: &Body) {
        self.constraints.follow_flow(body.rest_shape());
    }

    /// Advances `body` from time `t` by `h`. If `measure` is true the residual is reported, at the cost of half a
    /// sweep.
    pub(crate) fn substep(
        &mut self,
        body: &mut Body,
        step: TimeStep,
        external: External<'_>,
        method: &MethodConfig,
        measure: bool,
    ) -> SweepReport {
        self.start.copy_from_slice(&body.state.x);
        let h = step.h;
        predict(body, step, &external, method.rayleigh.mass);
        self.points.place(body.state.x.iter().copied());
        let sweep = |index: u32| ConstraintSweep {
            h,
            projection: method.projection,
            damping: method.rayleigh.stiffness,
            start: &self.start,
            first: index == 0,
            keep: measure || method.sweeps > 1,
        };
        for index in 0..method.sweeps {
            self.constraints.sweep(&mut self.points, &sweep(index));
        }
        let residual =
            if measure { self.constraints.residual(&self.points, &sweep(0)) } else { 0.0 };
        self.update(body, step, &external);
        SweepReport { sweeps: method.sweeps, residual }
    }

    /// Writes the new positions and velocities to the body.
    fn update(&mut self, body: &mut Body, step: TimeStep, external: &External<'_>) {
        let h = step.h;
        let model = body.model().clone();
        let State { x, v, .. } = &mut body.state;
        let (moves, rate) = (self.points.positions().zip(&self.start), 1.0 / h);
        for ((x, v), (to, from)) in x.iter_mut().zip(v.iter_mut()).zip(moves) {
            (*x, *v) = (to, (to - *from) * rate);
        }
        // Forces on points change the velocities after the constraints; the positions then follow from the velocities.
        self.push.make_room(external.points);
        if !external.points.is_empty() {
            self.push.push(external.points, model.masses(), h, v);
            let moved = self.start.iter().zip(v.iter()).map(|(from, v)| *from + h * *v);
            x.iter_mut().zip(moved).for_each(|(x, moved)| *x = moved);
        }
        body.place_held(step);
    }
}

/// Predicts positions without constraints.
fn predict(body: &mut Body, step: TimeStep, external: &External<'_>, mass_damping: f64) {
    let h = step.h;
    let decay = 1.0 / (1.0 + h * (external.damping + mass_damping));
    let State { x, v, .. } = &mut body.state;
    for (x, v) in x.iter_mut().zip(v) {
        // Damping acts on the velocity only, before gravity is added, so that a body at rest keeps its full weight.
        *v = *v * decay + h * external.gravity;
        *x += h * *v;
    }
    body.place_pins(step);
}
