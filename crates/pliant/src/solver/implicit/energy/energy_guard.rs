//! A guard against steps that create energy.

use glam::DVec3;

use crate::body::{Body, Kinematics, State};
use crate::force::NO_POINT_FORCES;
use crate::solver::linear::{Masses, Scales, SystemParts};

use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::parts::parts;
use crate::solver::implicit::step::Step;

impl Implicit {
    /// True if the stepper takes its steps in a turning frame, and the energy of the body changes by the work of gravity and by damping
    /// alone, so that it can be followed for ever. Breakable bodies have a guard of their own: the guess of their solves.
    pub(in crate::solver::implicit) fn keeps_energy(&self, step: &Step<'_>) -> bool {
        let constant = self.adaptive.is_none() && !step.rest.model().is_plastic();
        let turns = self.method.stepper.turns_exactly();
        turns && constant && self.sizes.is_empty() && self.turns_freely(step)
    }

    /// True if the step to the present state created no energy. A smooth step is nearly that of a linear system, for which the rules are
    /// stable: if the energy of the body is followed (`closed`), some of them are checked, and otherwise none.
    pub(in crate::solver::implicit) fn keeps_budget(
        &mut self,
        body: &Body,
        step: &mut Step<'_>,
        closed: bool,
    ) -> bool {
        if !body.state.is_finite() {
            return false;
        }
        if self.is_smooth && !closed {
            self.budget.forget();
            return true;
        }
        // A smooth step of Euler damps; it does not begin a budget.
        if self.is_smooth && !self.budget.needs_check(self.ahead) {
            let work = self.work(&body.state, step);
            self.budget.add_work(work);
            return true;
        }
        let Kinematics { x, v } = std::mem::replace(&mut self.history.before, Kinematics::none());
        let mut budget = self.budget;
        budget.start(|| {
            self.elasticity.turn(step.rest.model(), self.turned_by.transpose());
            let energy = self.energy([&x, &v], step);
            self.elasticity.turn(step.rest.model(), self.turned_by);
            energy
        });
        self.history.before = Kinematics { x, v };
        let energy = self.energy([&body.state.x, &body.state.v], step);
        let work = self.work(&body.state, step);
        let allowed = budget.allows(energy, work, closed);
        self.budget = budget;
        allowed
    }

    /// Kinetic and elastic energy of a state, in J. Leaves its elastic forces in `forces`.
    pub(super) fn energy(&mut self, [x, v]: [&[DVec3]; 2], step: &mut Step<'_>) -> f64 {
        self.nodes.x.copy_from_slice(x);
        let elastic = self.evaluate(step);
        let NodeVectors { product, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        parts.points = &NO_POINT_FORCES;
        parts.product(&Scales { mass: 1.0, ..Scales::default() }, v, product);
        elastic + 0.5 * dot(v, product)
    }

    /// Work of gravity, point forces and moving pins in the step to the present state, in J.
    pub(super) fn work(&mut self, state: &State, step: &mut Step<'_>) -> f64 {
        let h = step.time.h;
        let NodeVectors { rhs, change, begin, .. } = &mut self.nodes;
        for (node, rhs) in rhs.iter_mut().enumerate() {
            *rhs = self.masses[node] * step.external.gravity;
            change[node] = state.x[node] - begin[node];
        }
        step.external.points.add_forces(rhs);
        step.external.points.add_product([-1.0, -1.0 / h], change, rhs);
        let work = dot(rhs, change);
        if self.pins_rest { work } else { work + self.work_of_pins(state, step) }
    }

    /// Work of moving pins: what accelerates the pinned nodes beyond the elastic and external forces, times their displacement.
    fn work_of_pins(&mut self, state: &State, step: &mut Step<'_>) -> f64 {
        let h = step.time.h;
        let NodeVectors { rhs, change, kept, product, forces, x, .. } = &mut self.nodes;
        let changes = state.v.iter().zip(&self.history.before.v).map(|(v, before)| *v - *before);
        kept.iter_mut().zip(changes).for_each(|(to, change)| *to = change);
        let mut parts = parts!(self, step, x);
        parts.points = &NO_POINT_FORCES;
        parts.product(&Scales { mass: 1.0 / h, ..Scales::default() }, kept, product);
        let pinned = (0..change.len()).filter(|node| self.unknowns.is_prescribed(*node as u32));
        pinned.map(|node| (product[node] - forces[node] - rhs[node]).dot(change[node])).sum()
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
