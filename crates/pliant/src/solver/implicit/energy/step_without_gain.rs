//! Steps that are taken again so that a free body does not gain energy.

use crate::body::Body;
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::step::Step;
use crate::solver::implicit::turning::{FrameRule, Turning};

use super::energy_budget::CAREFUL_LINEARISATIONS;

/// Shares of the motion within the body that are tried one after the other; without it the body moves like a rigid one.
const SHARES: [f64; 4] = [0.5, 0.5, 0.5, 0.0];

impl Implicit {
    /// Takes a step that created energy again, for a body whose energy is known: by its rule with more linearisations, if that was BDF2;
    /// then by Euler, which damps; and if that fails too, with less motion within the body.
    pub(in crate::solver::implicit) fn step_without_gain(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        two_step: bool,
    ) {
        self.take_back(body, step);
        let before = self.energy([&body.state.x, &body.state.v], step);
        let bound = self.budget.bound_from(before);
        if two_step {
            self.turning_step(body, step, FrameRule::TwoStep, true, CAREFUL_LINEARISATIONS);
            if self.is_within(body, step, bound) {
                self.budget.take_care();
                self.count_work(body, step);
                return;
            }
            self.take_back(body, step);
        }
        let turning =
            self.turning_step(body, step, FrameRule::OneStep, false, CAREFUL_LINEARISATIONS);
        self.restrain(body, step, turning, bound);
        let energy = self.energy([&body.state.x, &body.state.v], step);
        self.budget.restart(energy);
        self.budget.fail();
        step.report.fallbacks += 1;
    }

    /// Returns to the state before the step.
    pub(in crate::solver::implicit) fn take_back(&mut self, body: &mut Body, step: &Step<'_>) {
        self.history.before.restore(&mut body.state);
        self.elasticity.turn(step.rest.model(), self.turned_by.transpose());
    }

    /// Reduces the motion within the body until the energy is within a bound.
    fn restrain(&mut self, body: &mut Body, step: &mut Step<'_>, turning: Turning, bound: f64) {
        for share in SHARES {
            if self.is_within(body, step, bound) {
                return;
            }
            // The end of the step restores the rotation.
            let mean = self.centre_motion([&self.nodes.base.x, &self.nodes.v]).velocity();
            self.nodes.v.iter_mut().for_each(|v| *v = mean + share * (*v - mean));
            self.finish_turning(body, step, turning);
        }
    }

    /// True if the present energy is at most `bound` and the work in the step.
    fn is_within(&mut self, body: &Body, step: &mut Step<'_>, bound: f64) -> bool {
        let energy = self.energy([&body.state.x, &body.state.v], step);
        // False for energies that are not finite.
        energy <= bound + self.work(&body.state, step)
    }

    fn count_work(&mut self, body: &Body, step: &mut Step<'_>) {
        let work = self.work(&body.state, step);
        self.budget.add_work(work);
    }
}
