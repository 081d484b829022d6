//! Steps of Euler and of BDF2 in a frame that turns with the body.

use crate::body::{Body, State};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::step::Step;

use super::turning::{FrameRule, Turning};
use super::turning_frame::TurningFrame;

/// The largest angle of the frame in a step, in rad. A frame that keeps the angular velocity of a tumbling body for longer would
/// create energy; what the body turns beyond it is stepped, and damped, like a deformation.
const LARGEST_ANGLE: f64 = 1.0;

/// The distance of a solution from its linearisation, over that which is trusted, up to which a step is smooth. The error of the
/// linear model is then 0.01 % of the change.
const SMOOTH: f64 = 0.05;

impl Implicit {
    /// Advances the body by a step with one linearisation.
    pub(in crate::solver::implicit) fn turning_step(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        rule: FrameRule,
        continues: bool,
    ) {
        let h = step.time.h;
        let turning = self.open_turning(&body.state, step, rule, continues);
        // Where forces on points act, their stiffness would amplify the residual of the solve.
        let free = self.unknowns.count() == self.unknowns.node_count();
        let balances = free && step.external.points.is_empty();
        let angular = balances.then(|| self.rotation(&body.state, &turning.begin, step).angular);
        self.history.begin(&body.state, h);
        self.pin_velocities(body, step, h);
        self.ahead = rule == FrameRule::TwoStep && self.linearise_ahead(step);
        if !(self.ahead && self.quasi_newton_stage(step, h)) {
            self.linear_stage(step, h);
        }
        let (model, change) = (step.rest.model(), &self.nodes.change);
        self.is_smooth = self.ahead && !self.trust_region.exceeded(model, change, h / SMOOTH);
        self.limit_step(step.rest, h);
        self.close_turning(body, h, turning);
        if let Some(angular) = angular {
            self.balance(body, step, &turning.begin, angular);
        }
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
    /// this halves the work of the solver.
    pub(in crate::solver::implicit) fn open_turning(
        &mut self,
        state: &State,
        step: &mut Step<'_>,
        rule: FrameRule,
        continues: bool,
    ) -> Turning {
        let h = step.time.h;
        let begin = self.centre_motion([&state.x, &state.v]);
        let spin = self.spin(state, &begin).clamp_length_max(LARGEST_ANGLE / h);
        let frame = TurningFrame::new(spin, h);
        let g = match rule {
            FrameRule::OneStep => h,
            FrameRule::TwoStep => 2.0 / 3.0 * h,
        };
        self.turned_by = frame.carry_positions(1.0);
        self.elasticity.turn(step.rest.model(), self.turned_by);
        let turning = Turning { frame, begin, g };
        self.inertia_scale = (h / g) * (h / g);
        let follows = continues && step.external.points.is_empty();
        match rule {
            FrameRule::OneStep => self.one_step_base(state, step, &turning, follows),
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
