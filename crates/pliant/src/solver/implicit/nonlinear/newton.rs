//! The equation of a stage solved by Newton's method.

use glam::DVec3;

use crate::force::NO_POINT_FORCES;
use crate::solver::line_search::backtrack;
use crate::solver::linear::{Masses, Scales, SystemParts};
use crate::solver::phase::Phase;

use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::parts::parts;
use crate::solver::implicit::stage::{ImplicitTerms, ROUNDING};
use crate::solver::implicit::step::Step;

/// Halvings of a Newton step before it is given up.
const MAX_HALVINGS: u32 = 10;

/// Armijo's constant: the share of the predicted decrease that a Newton step must reach.
const ARMIJO: f64 = 1e-4;

/// Share of the residual that a Newton step may leave if it does not lower the energy: warped forces are not the exact
/// gradient of their energy.
const REMAINDER: f64 = 0.9;

/// Energy and residual of a trial.
#[derive(Debug, Clone, Copy)]
struct Worth {
    /// The energy whose gradient is the residual.
    energy: f64,
    /// Norm of the residual.
    residual: f64,
}

impl Implicit {
    /// Newton's method with a line search on
    ///
    /// ```text
    /// E(v) = ½ (v − v̄)ᵀ M (v − v̄) + W(x̄ + g v) − g f_extᵀ v + ½ g vᵀ D v
    /// ```
    ///
    /// whose negative gradient is the residual of the stage. Point forces are those at the position after the whole
    /// step of `h`, so that an obstacle stops a body at its surface.
    pub(in crate::solver::implicit) fn nonlinear_stage(&mut self, step: &mut Step<'_>, g: f64) {
        self.stage_positions(g);
        let elastic = self.evaluate(step);
        self.prepare(step, g, step.time.h, ImplicitTerms::All);
        let (gravity, all) = self.load_sizes(step, g);
        let mut worth = self.weigh_residual(step, g, elastic);
        // The guess is the present motion, so that its residual is the impulse that changes it.
        let enough = self.method.tolerance * (worth.residual + gravity) + ROUNDING * all;
        for iteration in 0..self.method.newton_iterations {
            if worth.residual <= enough {
                return;
            }
            if iteration > 0 {
                self.prepare(step, g, step.time.h, ImplicitTerms::All);
            }
            step.report.newton_iterations += 1;
            let promise = self.solve_change(step, worth.residual);
            let Some(next) = self.search(step, g, promise, worth) else { break };
            worth = next;
        }
        step.report.unconverged += u32::from(worth.residual > enough);
    }

    /// Moves along `nodes.change` by the first accepted length; `None`, without a change, if no length is accepted.
    fn search(&mut self, step: &mut Step<'_>, g: f64, promise: f64, from: Worth) -> Option<Worth> {
        let mut gone = 0.0;
        let accepted = backtrack(MAX_HALVINGS, |length| {
            self.go(length - gone);
            gone = length;
            self.stage_positions(g);
            let elastic = self.evaluate(step);
            let worth = self.weigh_residual(step, g, elastic);
            let downhill = worth.energy <= from.energy - ARMIJO * length * promise;
            (downhill || worth.residual < REMAINDER * from.residual).then_some(worth)
        });
        if accepted.is_none() {
            self.go(-gone);
        }
        accepted
    }

    /// v += length · change.
    fn go(&mut self, length: f64) {
        let NodeVectors { v, change, .. } = &mut self.nodes;
        v.iter_mut().zip(change).for_each(|(v, change)| *v += length * *change);
    }

    /// Writes the solution of A change = residual (in `b`) and returns the predicted decrease of energy.
    fn solve_change(&mut self, step: &mut Step<'_>, size: f64) -> f64 {
        (step.phase)(Phase::Solve);
        let NodeVectors { change, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        self.y.fill(DVec3::ZERO);
        let report = &mut step.report;
        self.system.solve(&mut parts, &self.b, &mut self.y, Some(size), report);
        self.unknowns.expand(&self.y, change);
        self.b.iter().zip(&self.y).map(|(b, y)| b.dot(*y)).sum()
    }

    /// Norms of the impulse of gravity on the unknowns, and of all loads: momentum, external and elastic forces.
    fn load_sizes(&mut self, step: &mut Step<'_>, g: f64) -> (f64, f64) {
        self.write_momentum(step);
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        let momentum = self.system.norm(&self.b);
        for (rhs, mass) in self.nodes.rhs.iter_mut().zip(&self.masses) {
            *rhs = g * *mass * step.external.gravity;
        }
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        let gravity = self.system.norm(&self.b);
        step.external.points.add_scaled_forces(g, &mut self.nodes.rhs);
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        let outer = self.system.norm(&self.b);
        self.unknowns.reduce(&self.nodes.forces, &mut self.b);
        (gravity, momentum + outer + g * self.system.norm(&self.b))
    }

    /// Writes the residual at `nodes.v` to `b`:
    ///
    /// ```text
    /// M (v̄ − v) + g [f(x̄ + g v) + f_ext − D v]
    /// ```
    ///
    /// with `elastic` the energy W there.
    fn weigh_residual(&mut self, step: &mut Step<'_>, g: f64, elastic: f64) -> Worth {
        let (a, b) = self.rayleigh(step);
        let NodeVectors { base, v, x, begin, rhs, product, kept, forces, .. } = &mut self.nodes;
        // Inertia and damping: both are products with matrices.
        let mut parts = parts!(self, step, x);
        let points = std::mem::replace(&mut parts.points, &NO_POINT_FORCES);
        kept.iter_mut().zip(base.v.iter().zip(v.iter())).for_each(|(d, (base, v))| *d = *base - *v);
        parts.product(&Scales { mass: 1.0, ..Scales::default() }, kept, rhs);
        let mut energy = elastic + 0.5 * dot(kept, rhs);
        parts.points = points;
        let damping = Scales { mass: g * a, stiffness: g * b, points: [0.0, g] };
        parts.product(&damping, v, product);
        energy += 0.5 * dot(v, product);
        for (rhs, product) in rhs.iter_mut().zip(product.iter()) {
            *rhs -= *product;
        }
        // Resistance of points, S h v, measured from the start of the step.
        product.fill(DVec3::ZERO);
        kept.iter_mut().zip(x.iter().zip(begin.iter())).for_each(|(d, (x, b))| *d = *x - *b);
        points.add_product([step.time.h / g, 0.0], kept, product);
        energy += 0.5 * dot(kept, product);
        rhs.iter_mut().zip(product.iter()).for_each(|(rhs, product)| *rhs -= g * *product);
        // External forces.
        for (product, mass) in product.iter_mut().zip(&self.masses) {
            *product = *mass * step.external.gravity;
        }
        points.add_scaled_forces(1.0, product);
        energy -= dot(kept, product);
        for (rhs, (product, force)) in rhs.iter_mut().zip(product.iter().zip(forces.iter())) {
            *rhs += g * (*product + *force);
        }
        self.unknowns.reduce(rhs, &mut self.b);
        self.system.project(&mut self.b);
        Worth { energy, residual: self.system.norm(&self.b) }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
