//! The rules of the implicit steppers: the stages that each is made of.

use glam::{DMat3, DVec3};

use crate::body::Body;
use crate::solver::config::Stepper;
use crate::solver::external::External;
use crate::solver::phase::{Phase, PhaseTeller};
use crate::solver::report::LinearReport;
use pliant_kernels::math::TimeStep;

use super::energy::CAREFUL_LINEARISATIONS;
use super::implicit::Implicit;
use super::step::Step;
use super::turning::FrameRule;

/// The largest angle that a free body turns in a part of a step, in rad: that of five turns per second at 60 steps per second.
const LARGEST_ANGLE_OF_PART: f64 = 0.6;

/// The most parts of a step.
const MOST_PARTS: u32 = 32;

/// The rule of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepRule {
    /// Euler in the turning frame, linearised once.
    Euler,
    /// BDF2 in the turning frame, linearised once.
    Bdf2,
    Newmark,
    Variational,
    BackwardEuler,
}

impl Implicit {
    /// Advances `body` by a step, and reports each phase as it begins. A body that nothing touches and that spins by more than
    /// [`LARGEST_ANGLE_OF_PART`] in the step takes it in parts: its angular velocity is constant in each, but that of a tumbling body is not.
    pub fn step(
        &mut self,
        body: &mut Body,
        TimeStep { t, h }: TimeStep,
        external: External<'_>,
        phase: &mut PhaseTeller<'_>,
    ) -> LinearReport {
        phase(Phase::Update);
        let turns = self.method.stepper.turns_exactly() && external.points.is_empty();
        let motion = turns.then(|| self.motion_of(&body.state));
        let parts = motion.map_or(1, |motion| self.parts_of_turn(motion.spin(), h));
        // A change of degree moves nodes before the step begins.
        self.start_motion = motion.filter(|_| self.adaptive.is_none());
        let h = h / f64::from(parts);
        let mut report = LinearReport::default();
        for part in 0..parts {
            let time = TimeStep { t: t + h * f64::from(part), h };
            report.add_step(&self.part_of_step(body, time, external, phase));
        }
        report
    }

    /// The number of parts of a step in which a body with this angular velocity turns.
    fn parts_of_turn(&self, spin: DVec3, h: f64) -> u32 {
        let angle = h * spin.length();
        // A number that is not finite becomes one part.
        let needed = (angle / LARGEST_ANGLE_OF_PART).ceil().min(f64::from(MOST_PARTS)).max(1.0);
        // One part more than needed is kept: BDF2 starts again whenever the length of its steps changes.
        let last = h / self.history.last_length();
        let keeps = last == needed + 1.0 && last <= f64::from(MOST_PARTS);
        (if keeps { last } else { needed }) as u32
    }

    fn part_of_step(
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
        if !self.history.ended_in(&body.state) {
            // The energy is that of a change from outside.
            self.budget.forget();
        }
        self.adapt(body, &mut step);
        self.nodes.begin.copy_from_slice(&body.state.x);
        self.guarded_step(body, &mut step, continues);
        // The forces at the start of this step are out of date, also if the rule did not use them.
        self.forces_known = false;
        (step.phase)(Phase::Update);
        body.place_held(time);
        self.history.end(&body.state);
        step.report
    }

    /// Takes a step by the rule of the stepper. If it created energy, or its equation was not solved, it is taken again: that of a body
    /// whose energy is known with more linearisations, and any other by Euler in the turning frame, which damps and whose
    /// step is limited.
    fn guarded_step(&mut self, body: &mut Body, step: &mut Step<'_>, continues: bool) {
        let touches = step.external.points.has_contacts();
        let mut rule = self.rule(continues, touches);
        if rule != StepRule::Euler && !self.budget.is_ready() {
            rule = StepRule::Euler;
        }
        let follows = continues && self.method.stepper.looks_back();
        let closed = self.keeps_energy(step);
        let before = step.report.unconverged;
        (self.is_smooth, self.turned_by) = (false, DMat3::IDENTITY);
        self.step_by(rule, body, step, follows);
        let solved = rule != StepRule::Variational || step.report.unconverged == before;
        if rule == StepRule::Euler && !closed {
            self.budget.forget();
        } else if !(solved && self.keeps_budget(body, step, closed)) {
            if closed {
                self.step_without_gain(body, step, rule == StepRule::Bdf2);
            } else {
                self.damp_step(body, step);
            }
        }
        self.history.touched = touches;
    }

    /// Takes a step that failed again, by Euler in the turning frame. One linearisation of a large change can gain energy, too.
    fn damp_step(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.take_back(body, step);
        self.turning_step(body, step, FrameRule::OneStep, false, CAREFUL_LINEARISATIONS);
        self.budget.fail();
        self.budget.forget();
        step.report.fallbacks += 1;
    }

    /// The rule of a step. BDF2 starts again, with a step of Euler, where the motion is not smooth: after a change from outside, while
    /// the body is in contact with obstacles, and in the first step after any contact. The laws of contact take velocities for
    /// displacements of the last step over its length.
    ///
    /// Breakable bodies always take steps of Euler: impacts of their stiff fragments leave vibrations that no step resolves.
    fn rule(&self, continues: bool, touches: bool) -> StepRule {
        let smooth = continues && !touches && !self.history.touched && self.sizes.is_empty();
        match self.method.stepper {
            Stepper::Bdf2 if smooth => StepRule::Bdf2,
            Stepper::Bdf2 | Stepper::ImplicitEuler | Stepper::BaraffWitkin => StepRule::Euler,
            Stepper::Newmark => StepRule::Newmark,
            Stepper::Variational => StepRule::Variational,
            Stepper::BackwardEuler => StepRule::BackwardEuler,
            Stepper::SymplecticEuler | Stepper::Xpbd => {
                unreachable!("steppers without a system of equations have their own types")
            }
        }
    }

    fn step_by(&mut self, rule: StepRule, body: &mut Body, step: &mut Step<'_>, follows: bool) {
        let linearisations = self.budget.linearisations();
        if !matches!(rule, StepRule::Euler | StepRule::Bdf2) {
            self.past.forget();
            self.history.begin(&body.state, step.time.h);
        }
        match rule {
            StepRule::Euler => {
                self.turning_step(body, step, FrameRule::OneStep, follows, 1);
            }
            StepRule::Bdf2 => {
                self.turning_step(body, step, FrameRule::TwoStep, true, linearisations);
            }
            StepRule::Newmark => self.newmark(body, step),
            StepRule::Variational => self.variational(body, step),
            StepRule::BackwardEuler => self.backward_euler(body, step),
        }
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
    /// method does not converge, 2 w − v would double the error in every step.
    pub(super) fn variational(&mut self, body: &mut Body, step: &mut Step<'_>) {
        self.start_from(&body.state);
        self.pin_velocities(body, step, step.time.h);
        self.nonlinear_stage(step, 0.5 * step.time.h);
        self.advance(body, step.time.h);
        self.mirror_stage(step, 0.5 * step.time.h);
        body.state.v.copy_from_slice(&self.nodes.v);
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
