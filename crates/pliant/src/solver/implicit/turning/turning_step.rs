//! Steps of Euler and of BDF2 in a frame that turns with the body.

use glam::DVec3;

use crate::body::{Body, State};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::step::Step;
use pliant_kernels::material::LawKind;

use super::rigid_motion::StartMotion;
use super::turning::{FrameRule, Turning};
use super::turning_frame::TurningFrame;

/// The largest angle of the frame in a step, in rad. A frame that keeps the angular velocity of a tumbling body for longer would
/// create energy; what the body turns beyond it is stepped, and damped, like a deformation.
const LARGEST_ANGLE: f64 = 1.0;

/// The largest change of the angular velocity to that of the frame, as a share of it. That of rigid bodies is below it.
const LARGEST_CHANGE: f64 = 0.3;

/// The distance of a solution from its linearisation, over that which is trusted, up to which a step is smooth. The error of the
/// linear model is then 0.01 % of the change.
pub(super) const SMOOTH: f64 = 0.05;

impl Implicit {
    /// True if nothing acts on the body but gravity: its momentum and angular momentum are known.
    pub(in crate::solver::implicit) fn is_free(&self, step: &Step<'_>) -> bool {
        self.unknowns.count() == self.unknowns.node_count() && step.external.points.is_empty()
    }

    /// True if the body is free, and a rotation of the whole body changes no elastic energy, as it does for the linear law.
    pub(in crate::solver::implicit) fn turns_freely(&self, step: &Step<'_>) -> bool {
        let mut batches = step.rest.model().batches().iter();
        self.is_free(step) && batches.all(|batch| batch.law != LawKind::Linear)
    }

    /// Advances the body by a step with some linearisations, usually one.
    pub(in crate::solver::implicit) fn turning_step(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        rule: FrameRule,
        continues: bool,
        linearisations: u32,
    ) -> Turning {
        let h = step.time.h;
        // Where forces on points act, their stiffness would amplify the residual of the solve, and nothing is corrected.
        let mut turning = self.open_turning(&body.state, step, rule, continues);
        if self.is_free(step) {
            let rotation = self.rotation(&body.state, &turning.begin);
            turning.angular = Some(rotation.angular);
            let start = rotation.spin_of(rotation.angular);
            turning.start = self.turns_freely(step).then_some(start);
        }
        if rule == FrameRule::TwoStep {
            self.past.forget();
        }
        self.history.begin(&body.state, h);
        self.pin_velocities(body, step, h);
        self.ahead = rule == FrameRule::TwoStep && self.linearise_ahead(step);
        if !(self.ahead && self.quasi_newton_stage(step, h)) {
            self.quasi_newton.trend.forget();
            self.linear_stage(step, h);
            if rule == FrameRule::OneStep {
                self.note_change();
            }
            for _ in 1..linearisations {
                self.stage_positions(h);
                self.ahead = true;
                self.linear_stage(step, h);
            }
        }
        self.is_smooth = self.ends_at_linearisation(step, rule);
        let is_pushed = rule == FrameRule::OneStep && turning.angular.is_none();
        let turn = if is_pushed { self.take_turn(step.rest, h) } else { None };
        self.is_rough |= self.limit_step(step.rest, h) && step.external.points.has_contacts();
        if rule == FrameRule::OneStep && turning.start.is_some() {
            self.remove_rotation();
        }
        self.finish_turning(body, step, turning);
        if let Some(turn) = turn {
            self.add_turn(body, h, turn);
        }
        turning
    }

    /// True if the solution of the stage is close to the positions at which it was linearised.
    fn ends_at_linearisation(&self, step: &Step<'_>, rule: FrameRule) -> bool {
        let NodeVectors { v, change, .. } = &self.nodes;
        let far = |v| self.trust_region.exceeded(step.rest.model(), v, step.time.h / SMOOTH);
        match rule {
            _ if self.ahead => !far(change),
            FrameRule::OneStep => !far(v),
            FrameRule::TwoStep => false,
        }
    }

    /// Writes the solution of the stage to the body, with the momenta and the rotation that it must have.
    pub(in crate::solver::implicit) fn finish_turning(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        turning: Turning,
    ) {
        self.close_turning(body, step.time.h, turning);
        if let Some(angular) = turning.angular {
            self.balance(body, step, &turning, angular);
        }
    }

    /// The angular velocity of the frame of a step. The frame of a free body has the angular velocity
    /// that a rigid body would have in the middle of the step, from I dω/dt = −ω × L, so that a tumbling body hardly turns in it.
    fn frame_spin(&self, motion: &StartMotion, step: &Step<'_>) -> DVec3 {
        let (h, start, rotation) = (step.time.h, motion.spin(), &motion.rotation);
        let half = if self.turns_freely(step) { 0.5 * h } else { 0.0 };
        let change = half * rotation.spin_of(start.cross(rotation.angular));
        let middle = start - change.clamp_length_max(LARGEST_CHANGE * start.length());
        middle.clamp_length_max(LARGEST_ANGLE / h)
    }

    /// Prepares the stage of a step. With the base x̄, w̄ in the frame, the position x̂ of the present shape at the end of the
    /// step, and o = x̂ − x̄, it solves for u with x⁺ = x̂ + h u:
    ///
    /// ```text
    /// m M (u − ū) = h [f(x̂ + h u) + f_ext]        m = (h/g)²        ū = (g/h) w̄ − o/h + (h/m) a
    /// w⁺ = (h/g) u + o/g
    /// ```
    ///
    /// with the centrifugal acceleration a. This is M (w⁺ − w̄) = g [f(x̄ + g w⁺) + M a + f_ext] in another unknown, which has the same
    /// meaning for contact in every rule: the displacement beyond that of the rigid body, over h. Derived here.
    ///
    /// The guess extrapolates the previous step if the motion `continues` it and nothing touches the body: for smooth motion
    /// this halves the work of the solver. Most guesses of Euler's rule are improved later, when the system is known
    /// (`continue_changes.rs`).
    pub(in crate::solver::implicit) fn open_turning(
        &mut self,
        state: &State,
        step: &mut Step<'_>,
        rule: FrameRule,
        continues: bool,
    ) -> Turning {
        let h = step.time.h;
        let motion = self.start_motion.take().unwrap_or_else(|| self.motion_of(state));
        let (begin, spin) = (motion.centre, self.frame_spin(&motion, step));
        let frame = TurningFrame::new(spin, h);
        let g = match rule {
            FrameRule::OneStep => h,
            FrameRule::TwoStep => 2.0 / 3.0 * h,
        };
        self.turned_by = frame.carry_positions(1.0);
        self.elasticity.turn(step.rest.model(), self.turned_by);
        let turning = Turning { frame, begin, start: None, angular: None, g };
        self.inertia_scale = (h / g) * (h / g);
        let follows = continues && step.external.points.is_empty();
        match rule {
            FrameRule::OneStep => {
                let follows = follows && !self.continues_changes();
                self.one_step_base(state, step, &turning, follows);
            }
            FrameRule::TwoStep => self.two_step_base(state, step, &turning, follows),
        }
        self.damp_rigid_motion(step, &turning);
        turning
    }

    /// Linearises the stage at the end that the guess leads to, if one linearisation can be trusted so far. That is more accurate,
    /// because the corotated stiffness neglects the change of rotations; but modes that the step does not resolve may
    /// have been extrapolated to anywhere.
    ///
    /// Breakable bodies are linearised at their present shape, because their guess is still changed.
    fn linearise_ahead(&mut self, step: &Step<'_>) -> bool {
        let h = step.time.h;
        let trusted = !self.trust_region.exceeded(step.rest.model(), &self.nodes.v, h);
        let ahead = trusted && self.sizes.is_empty();
        if ahead {
            self.stage_positions(h);
        }
        ahead
    }

    /// Ends the step with the solution of the stage.
    pub(in crate::solver::implicit) fn close_turning(
        &mut self,
        body: &mut Body,
        h: f64,
        Turning { frame, g, .. }: Turning,
    ) {
        let NodeVectors { base, v: solved, offset, .. } = &self.nodes;
        let State { x, v, .. } = &mut body.state;
        for (node, (x, v)) in x.iter_mut().zip(v.iter_mut()).enumerate() {
            *x = base.x[node] + h * solved[node];
            *v = h / g * solved[node] + offset[node] / g;
        }
        let State { x, v, .. } = &mut body.state;
        let centre = self.centre_motion([x, v]).centre;
        v.iter_mut().zip(x).for_each(|(v, x)| *v += frame.spin.cross(*x - centre));
        self.inertia_scale = 1.0;
    }
}
