//! The rules of the implicit steppers: the stages that each is made of.

use glam::DVec3;

use crate::body::{Body, State};
use crate::solver::config::Stepper;
use crate::solver::external::External;
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;
use pliant_kernels::math::TimeStep;

use super::implicit::Implicit;
use super::node_vectors::NodeVectors;
use super::step::Step;

impl Implicit {
    /// Advances `body` by a step, and reports each phase as it begins.
    pub fn step(
        &mut self,
        body: &mut Body,
        time: TimeStep,
        external: External<'_>,
        phase: &mut PhaseTeller<'_>,
    ) -> LinearReport {
        let flowed = body.flowed_model();
        let rest = flowed.rest_shape();
        let mut step = Step { rest, time, external, phase, report: LinearReport::default() };
        let continues = self.history.leads_to(&body.state, time.h);
        self.adapt(body, &mut step);
        self.nodes.begin.copy_from_slice(&body.state.x);
        match self.method.stepper {
            Stepper::Bdf2 => self.bdf2(body, &mut step, continues),
            Stepper::Newmark => self.newmark(body, &mut step),
            Stepper::Variational => self.variational(body, &mut step),
            Stepper::BackwardEuler => self.backward_euler(body, &mut step),
            Stepper::ImplicitEuler | Stepper::BaraffWitkin => {
                self.smooth_euler(body, &mut step, continues);
            }
            Stepper::SymplecticEuler | Stepper::Xpbd => {
                unreachable!("steppers without a system of equations have their own types")
            }
        }
        // The forces at the start of this step are out of date, also if the rule did not use them.
        self.forces_known = false;
        (step.phase)(Phase::Update);
        body.place_held(time);
        if self.method.stepper.looks_back() {
            self.history.end(&body.state);
        }
        step.report
    }

    /// Implicit Euler with a guess that extrapolates the last step: for smooth motion this halves the work of the
    /// solver. Contacts make the motion discontinuous, and the body would jitter by the remaining residual, so that
    /// there the guess is the present velocity; so it is in the form of Baraff & Witkin.
    fn smooth_euler(&mut self, body: &mut Body, step: &mut Step<'_>, continues: bool) {
        let free = step.external.points.is_empty();
        let follow = continues && free && self.method.stepper.looks_back();
        self.start_from(&body.state);
        if follow {
            let before = self.history.before.v.iter().zip(&body.state.v);
            for (v, (before, now)) in self.nodes.v.iter_mut().zip(before) {
                *v = *now + (*now - *before);
            }
        }
        self.history.begin(&body.state, step.time.h);
        self.euler_stage(body, step);
    }

    /// One linearised stage, then x + h v.
    fn implicit_euler(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.euler_stage(body, step);
    }

    fn euler_stage(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.pin_velocities(body, step, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.linear_stage(step, step.time.h);
        self.limit_step(step.rest, step.time.h);
        self.advance(body, step.time.h);
    }

    /// One nonlinear stage, then x + h v.
    fn backward_euler(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        self.nonlinear_stage(step, step.time.h);
        self.advance(body, step.time.h);
    }

    /// The implicit midpoint rule, which is the variational integrator of a midpoint quadrature (Kharevych et al.
    /// 2006): the stage finds the velocity w at the midpoint, then x + h w and 2 w − v, less at contacts. If Newton's
    /// method does not converge, 2 w − v would double the error in every step: then implicit Euler, which damps, takes
    /// the step.
    pub(super) fn variational(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        let before = step.report.unconverged;
        self.nonlinear_stage(step, 0.5 * step.time.h);
        if step.report.unconverged > before {
            return self.implicit_euler(body, step);
        }
        self.advance(body, step.time.h);
        self.mirror_stage(step, 0.5 * step.time.h);
        body.state.v.copy_from_slice(&self.nodes.v);
    }

    /// Two-step backward differences (Mezger et al. 2007); the first step is one of implicit Euler.
    pub(super) fn bdf2(&mut self, body: &mut Body, step: &mut Step<'_>, continues: bool) {
        if continues {
            self.bdf2_base(&body.state);
        }
        self.history.begin(&body.state, step.time.h);
        if continues {
            let g = 2.0 / 3.0 * step.time.h;
            self.pin_velocities(body, step, g);
            // Linearised at the extrapolated end of the step, to third order: the warped stiffness neglects the change
            // of rotations, which would cost an order at any other position.
            self.stage_positions(g);
            self.linear_stage(step, g);
            self.limit_step(step.rest, g);
            self.advance(body, g);
        } else {
            self.implicit_euler(body, step);
        }
    }

    /// x̄ = 4/3 x − 1/3 x₋ and v̄ likewise; the guess extrapolates the last step.
    fn bdf2_base(&mut self, now: &State) {
        let before = &self.history.before;
        let NodeVectors { base, v, .. } = &mut self.nodes;
        let mix = |base: &mut [DVec3], now: &[DVec3], before: &[DVec3], share: f64| {
            for (base, (now, before)) in base.iter_mut().zip(now.iter().zip(before)) {
                *base = *now + share * (*now - *before);
            }
        };
        mix(&mut base.x, &now.x, &before.x, 1.0 / 3.0);
        mix(&mut base.v, &now.v, &before.v, 1.0 / 3.0);
        mix(v, &now.v, &before.v, 1.0);
        self.unknowns.place_tied(&mut base.x);
        self.unknowns.place_tied(&mut base.v);
    }

    /// Elastic forces explicit, damping implicit (Bridson et al. 2003):
    ///
    /// ```text
    /// M w  = M v + h/2 [f(x) − D w]        x⁺ = x + h w
    /// M v⁺ = M v + h/2 [f(x) − D v] + h/2 [f(x⁺) − D⁺ v⁺]
    /// ```
    pub(super) fn newmark(&mut self, body: &mut Body, step: &mut Step<'_>) {
        let half = 0.5 * step.time.h;
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.middle_stage(step, half);
        self.advance(body, step.time.h);
        self.nodes.x.copy_from_slice(&body.state.x);
        self.end_stage(step, half);
        body.state.v.copy_from_slice(&self.nodes.v);
    }
}
