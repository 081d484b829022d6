//! A smooth stage, solved as a nonlinear equation with the factor of an earlier system.

use glam::DVec3;

use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::parts::parts;
use crate::solver::implicit::stage::{ImplicitTerms, ROUNDING};
use crate::solver::implicit::step::Step;
use crate::solver::linear::{Masses, Scales, SystemParts};
use crate::solver::phase::Phase;

use super::quasi_newton::QuasiNewton;

/// The most iterations with one factor.
const MOST_ITERATIONS: u32 = 12;

/// The largest share of the residual that two iterations may leave.
const LARGEST_REMAINDER: f64 = 0.5;

/// Roundings of a position that its force accumulates.
const ROUNDINGS: f64 = 4.0;

/// The end of the iterations with one factor.
#[derive(Debug, Clone, Copy)]
struct Progress {
    iterations: u32,
    /// Norm of the residual, and that which is small enough.
    residual: f64,
    enough: f64,
}

impl Progress {
    /// True if the residual is small enough; false if it is not a number.
    fn has_converged(&self) -> bool {
        self.residual <= self.enough
    }
}

impl Implicit {
    /// Solves the nonlinear equation of a stage from a guess that is close, with the forces of each iterate and the factor of an
    /// earlier system. An iteration costs one evaluation of forces and one solve with the factor, far less than a new linearisation,
    /// and the error of a linearisation does not occur. Where an old factor does not converge fast, a new one is computed.
    ///
    /// Returns false, with the guess restored, if the body uses no factor or the iterations do not converge.
    pub(in crate::solver::implicit) fn quasi_newton_stage(
        &mut self,
        step: &mut Step<'_>,
        g: f64,
    ) -> bool {
        let (_, b) = self.rayleigh(step);
        if b != 0.0 || !self.system.uses_factor() {
            return false;
        }
        self.quasi_newton.guess.copy_from_slice(&self.nodes.v);
        self.quasi_newton.trend.improve(&mut self.nodes.v, self.turned_by);
        self.stage_positions(g);
        if self.wants_next_factor(step) {
            self.start_next_factor(step, g);
        }
        let scales = self.stage_scales(step, g, g, ImplicitTerms::All);
        if self.open_factor(step, scales) && self.iterate(step, g) {
            return true;
        }
        self.evaluate(step);
        self.prepare(step, g, g, ImplicitTerms::All);
        self.renew_factor(step) && self.iterate(step, g)
    }

    /// Iterates with the factor at hand; true if that converges, otherwise the guess is restored.
    fn iterate(&mut self, step: &mut Step<'_>, g: f64) -> bool {
        self.quasi_newton.secants.clear();
        let residual = self.residual_ahead(step, g);
        let enough = self.method.tolerance * self.load_ahead(step, g) + self.rounding_ahead(g);
        let mut progress = Progress { iterations: 0, residual, enough };
        let mut last = f64::INFINITY;
        while !progress.has_converged() && progress.iterations < MOST_ITERATIONS {
            self.move_by_factor();
            progress.iterations += 1;
            let before = std::mem::replace(&mut progress.residual, self.residual_ahead(step, g));
            let is_fast = progress.residual <= LARGEST_REMAINDER * last;
            if !is_fast {
                break;
            }
            last = before;
            self.remember_secant();
        }
        self.report_progress(step, &progress);
        if !progress.has_converged() {
            self.nodes.v.copy_from_slice(&self.quasi_newton.guess);
            self.stage_positions(g);
            return false;
        }
        self.take_solution(step);
        true
    }

    fn report_progress(&mut self, step: &mut Step<'_>, progress: &Progress) {
        let Progress { iterations, residual, enough } = *progress;
        self.system.note_iterations(iterations);
        let report = &mut step.report;
        report.iterations += iterations;
        report.unknowns = self.unknowns.active_count();
        report.work += u64::from(iterations) * self.unknowns.count() as u64;
        if progress.has_converged() && enough > 0.0 {
            report.residual = report.residual.max(residual / enough * self.method.tolerance);
        }
    }

    /// Leaves the change of the guess in `change`, and removes the rest of the momentum of a free body; its cells do not resist that.
    fn take_solution(&mut self, step: &Step<'_>) {
        let is_free = self.is_free(step);
        let NodeVectors { v, change, .. } = &mut self.nodes;
        if is_free {
            let mass = self.system.scales().mass * self.masses.iter().sum::<f64>();
            let shift = self.b.iter().sum::<DVec3>() / mass;
            v.iter_mut().for_each(|v| *v += shift);
        }
        for (change, (v, guess)) in change.iter_mut().zip(v.iter().zip(&self.quasi_newton.guess)) {
            *change = *v - *guess;
        }
        self.quasi_newton.trend.note(change);
    }

    /// Prepares the factor for the present shape; false if it cannot be used.
    fn open_factor(&mut self, step: &mut Step<'_>, scales: Scales) -> bool {
        let parts = parts!(self, step, &self.nodes.x);
        self.system.open_factor(&parts, scales)
    }

    fn wants_next_factor(&mut self, step: &mut Step<'_>) -> bool {
        let parts = parts!(self, step, &self.nodes.x);
        self.system.wants_next_factor(&parts)
    }

    /// Linearises, and begins the next factor.
    fn start_next_factor(&mut self, step: &mut Step<'_>, g: f64) {
        self.evaluate(step);
        self.prepare(step, g, g, ImplicitTerms::All);
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.start_next_factor(&mut parts, &mut step.report);
    }

    /// Factors the system that was prepared; false if it has no factor.
    fn renew_factor(&mut self, step: &mut Step<'_>) -> bool {
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.renew_factor(&mut parts, &mut step.report)
    }

    /// Writes the residual at `nodes.v` to `b`, with the forces there; returns its norm.
    fn residual_ahead(&mut self, step: &mut Step<'_>, g: f64) -> f64 {
        self.stage_positions(g);
        self.evaluate(step);
        (step.phase)(Phase::Solve);
        self.write_residual_ahead(step, g);
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        self.system.norm(&self.b)
    }

    /// v += H r, with the factor and the secants; leaves the change in `y` and the residual in `before`.
    fn move_by_factor(&mut self) {
        let QuasiNewton { secants, before, r, .. } = &mut self.quasi_newton;
        before.copy_from_slice(&self.b);
        r.copy_from_slice(&self.b);
        secants.before(r);
        self.system.apply_factor(r, &mut self.y);
        secants.after(&mut self.y);
        let NodeVectors { v, change, .. } = &mut self.nodes;
        self.unknowns.expand(&self.y, change);
        v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v += *change);
    }

    fn remember_secant(&mut self) {
        let QuasiNewton { secants, before, .. } = &mut self.quasi_newton;
        secants.push(&self.y, before, &self.b);
    }

    /// The load of a stage without a linearisation: as [`Implicit::load_of_stage`], with the inertia of the change alone.
    fn load_ahead(&mut self, step: &mut Step<'_>, g: f64) -> f64 {
        let scale = self.system.scales().mass;
        let weight = g * step.external.gravity;
        let left = self.system.norm(&self.b);
        self.quasi_newton.r.copy_from_slice(&self.b);
        let gravity = self.norm_of(|_, _| weight);
        let change =
            left + self.norm_of(|nodes, node| scale * (nodes.v[node] - nodes.steady[node]));
        let momentum = self
            .norm_of(|nodes, node| nodes.v[node] + (nodes.base.x[node] - nodes.begin[node]) / g);
        self.b.copy_from_slice(&self.quasi_newton.r);
        let most = if self.pins_rest { momentum } else { f64::INFINITY };
        change.min(gravity + most) + gravity + ROUNDING * momentum
    }

    /// The residual that rounding of positions leaves: a stiff body far from the origin cannot be solved to less.
    fn rounding_ahead(&self, g: f64) -> f64 {
        let farthest = self.nodes.x.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        ROUNDINGS * f64::EPSILON * self.system.norm_of_shift(farthest / g)
    }
}
