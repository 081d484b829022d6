//! The equation that every implicit rule solves, linearised once.

use glam::DVec3;

use crate::body::RestShape;
use crate::force::{NO_POINT_FORCES, PointForces};
use crate::solver::linear::{Masses, Scales, SystemParts};
use crate::solver::phase::Phase;
use crate::solver::report::LinearReport;

use super::implicit::Implicit;
use super::node_vectors::NodeVectors;
use super::parts::parts;
use super::step::Step;

/// The implicit terms of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImplicitTerms {
    /// Elastic forces and damping.
    All,
    /// Damping alone.
    Damping,
}

impl Implicit {
    /// One Newton iteration from the forces at `nodes.x`, solved for the velocity:
    ///
    /// ```text
    /// [(1 + g a) M + (g b + g²) K] v = M v̄ + g [f(x) + f_ext − K (x̄ − x)]
    /// ```
    ///
    /// Bargteil & Cohen 2014, eq. 12, where x̄ = x.
    pub(super) fn linear_stage(&mut self, step: &mut Step<'_>, g: f64) {
        let known = std::mem::take(&mut self.forces_known) && self.nodes.x == self.nodes.begin;
        if !known {
            self.evaluate(step);
        }
        self.prepare(step, g, g, ImplicitTerms::All);
        self.write_momentum(step);
        self.add_forces(step, g);
        self.take_offsets(step, g);
        self.energy_bounded_guess(step);
        self.solve_velocity(step, g);
    }

    /// The midpoint stage of a step with explicit elastic forces:
    ///
    /// ```text
    /// M w = M v̄ + g [f(x) + f_ext − D w − (B + h S) w]
    /// ```
    ///
    /// Point forces, with stiffness S and damping B, are far stiffer than the body, and explicit ones would pull a body
    /// outside an obstacle toward it: they are those at the end of the step of `h`.
    pub(super) fn middle_stage(&mut self, step: &mut Step<'_>, g: f64) {
        self.evaluate(step);
        self.prepare(step, g, step.time.h, ImplicitTerms::Damping);
        self.write_momentum(step);
        self.add_forces(step, g);
        self.keep_explicit_half(step, g);
        self.solve_velocity(step, g);
        let NodeVectors { v, kept, .. } = &mut self.nodes;
        step.external.points.add_product([-g * step.time.h, -g], v, kept);
    }

    /// The end stage of such a step, from the stored momentum:
    ///
    /// ```text
    /// M v = momentum + g [f(x) + f_ext − S (x − x₀) − D v − (B + h S) v]
    /// ```
    ///
    /// `h S v` is zero at rest; without it the body would leave an obstacle as fast as it arrived.
    pub(super) fn end_stage(&mut self, step: &mut Step<'_>, g: f64) {
        self.evaluate(step);
        self.prepare(step, g, step.time.h, ImplicitTerms::Damping);
        self.nodes.rhs.copy_from_slice(&self.nodes.kept);
        self.add_forces(step, g);
        let NodeVectors { x, begin, change, rhs, .. } = &mut self.nodes;
        let moves = x.iter().zip(begin.iter()).map(|(x, begin)| *x - *begin);
        change.iter_mut().zip(moves).for_each(|(to, moved)| *to = moved);
        step.external.points.add_product([-g, 0.0], change, rhs);
        self.solve_velocity(step, g);
    }

    /// Stores the right-hand side minus g D v̄, for the end stage.
    fn keep_explicit_half(&mut self, step: &mut Step<'_>, g: f64) {
        let (a, b) = self.rayleigh(step);
        let scales = Scales { mass: g * a, stiffness: g * b, ..Scales::default() };
        let NodeVectors { base, product, rhs, kept, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        parts.points = &NO_POINT_FORCES;
        parts.product(&scales, &base.v, product);
        for (kept, (rhs, product)) in kept.iter_mut().zip(rhs.iter().zip(product)) {
            *kept = *rhs - *product;
        }
    }

    /// The velocity at the end of a step with midpoint velocity w, in `nodes.v`:
    ///
    /// ```text
    /// M v = M (2 w − v̄) + g [B w − (B + h S) v]
    /// ```
    ///
    /// Without contact v is 2 w − v̄. At a contact that would reverse the velocity of the point, so that it rebounds;
    /// there the point forces of the second half of the step act on v instead.
    pub(super) fn mirror_stage(&mut self, step: &mut Step<'_>, g: f64) {
        let NodeVectors { base, v, change, rhs, x, .. } = &mut self.nodes;
        let mirrored = v.iter().zip(&base.v).map(|(w, base)| 2.0 * *w - *base);
        change.iter_mut().zip(mirrored).for_each(|(to, mirrored)| *to = mirrored);
        if step.external.points.is_empty() {
            v.copy_from_slice(change);
            return;
        }
        let mut parts = parts!(self, step, x);
        parts.points = &NO_POINT_FORCES;
        parts.product(&Scales { mass: 1.0, ..Scales::default() }, change, rhs);
        step.external.points.add_product([0.0, g], v, rhs);
        v.copy_from_slice(change);
        let points = [g * step.time.h, g];
        self.prepare_system(step, Scales { mass: 1.0, points, ..Scales::default() });
        self.solve_velocity(step, g);
    }

    /// Elastic forces at `nodes.x`; returns the energy.
    pub(super) fn evaluate(&mut self, step: &mut Step<'_>) -> f64 {
        (step.phase)(Phase::Forces);
        self.elasticity.forces(step.rest, &self.nodes.x, &mut self.nodes.forces)
    }

    /// Writes A p in the unknowns, with the point forces of the open stage.
    pub fn apply(
        &mut self,
        rest: RestShape<'_>,
        points: &PointForces,
        p: &[DVec3],
        product: &mut [DVec3],
    ) {
        let mut parts = parts!(self, rest, points, &self.nodes.x);
        self.system.apply(&mut parts, p, product);
    }

    /// For breakable bodies, reduces the motion within the body in the guess, if that is closer to the solution:
    ///
    /// ```text
    /// v = r + s w        s = wᵀ (rhs − A r) / wᵀ A w  in 0…1
    /// ```
    ///
    /// with r the rigid part of the present velocities and w the rest. Conjugate gradients lower the incremental
    /// potential `½ |v − v̄|²_M + W(x + g v)` from its value at the guess. At s = 0 that is at most the present energy
    /// of the body, so that the energy does not grow however early the iterations stop. At s = 1 it is the energy of
    /// cells that keep their velocities for a whole step, which for stiff cells is thousands of times larger.
    pub(super) fn energy_bounded_guess(&mut self, step: &mut Step<'_>) {
        if self.sizes.is_empty() {
            return;
        }
        self.split_motion();
        let NodeVectors { v, rhs, product, change, kept, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        self.system.apply_nodes(&mut parts, kept, product);
        let along = dot(change, rhs) - dot(change, product);
        self.system.apply_nodes(&mut parts, change, product);
        let share = (along / dot(change, product)).clamp(0.0, 1.0);
        if share < 1.0 {
            let parts = kept.iter().zip(change.iter());
            v.iter_mut().zip(parts).for_each(|(v, (rigid, within))| *v = *rigid + share * *within);
        }
    }

    /// rhs −= A v, on nodes.
    pub(super) fn take_product(&mut self, step: &mut Step<'_>) {
        let NodeVectors { v, rhs, product, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        self.system.apply_nodes(&mut parts, v, product);
        rhs.iter_mut().zip(product.iter()).for_each(|(rhs, product)| *rhs -= *product);
    }

    /// Prepares the system of a stage at `nodes.x`. Point forces are always implicit: those at the position that v
    /// reaches in a time of `ahead`.
    pub(super) fn prepare(
        &mut self,
        step: &mut Step<'_>,
        g: f64,
        ahead: f64,
        terms: ImplicitTerms,
    ) {
        let (a, b) = self.rayleigh(step);
        let elastic = if terms == ImplicitTerms::All { g * g } else { 0.0 };
        let points = [g * ahead, g];
        let scales = Scales { mass: 1.0 + g * a, stiffness: g * b + elastic, points };
        self.prepare_system(step, scales);
    }

    fn prepare_system(&mut self, step: &mut Step<'_>, scales: Scales) {
        (step.phase)(Phase::Assembly);
        if scales.stiffness > 0.0 {
            self.elasticity.linearise(step.rest, &self.nodes.x);
        }
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.prepare(&mut parts, scales, step.phase, &mut step.report);
    }

    /// Shares of mass and stiffness in the damping.
    pub(super) fn rayleigh(&self, step: &Step<'_>) -> (f64, f64) {
        (self.method.rayleigh.mass + step.external.damping, self.method.rayleigh.stiffness)
    }

    /// rhs = M v̄.
    pub(super) fn write_momentum(&mut self, step: &mut Step<'_>) {
        let scales = Scales { mass: 1.0, ..Scales::default() };
        let NodeVectors { base, rhs, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        parts.points = &NO_POINT_FORCES;
        parts.product(&scales, &base.v, rhs);
    }

    /// rhs += g [f(x) + f_ext].
    pub(super) fn add_forces(&mut self, step: &mut Step<'_>, g: f64) {
        let NodeVectors { forces, rhs, .. } = &mut self.nodes;
        for (rhs, (force, mass)) in rhs.iter_mut().zip(forces.iter().zip(&self.masses)) {
            *rhs += g * (*force + *mass * step.external.gravity);
        }
        step.external.points.add_scaled_forces(g, rhs);
    }

    /// rhs −= g K (x̄ − x) for the cells, and likewise for points, which are linearised at the start of the step.
    fn take_offsets(&mut self, step: &mut Step<'_>, g: f64) {
        let NodeVectors { base, x, begin, rhs, change, product, .. } = &mut self.nodes;
        if base.x != *x {
            let steps = base.x.iter().zip(x.iter()).map(|(base, x)| *base - *x);
            change.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
            self.elasticity.apply(step.rest, change, product);
            rhs.iter_mut().zip(product.iter()).for_each(|(rhs, product)| *rhs -= g * *product);
        }
        if !step.external.points.is_empty() && base.x != *begin {
            let steps = begin.iter().zip(base.x.iter()).map(|(begin, base)| *begin - *base);
            change.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
            step.external.points.add_product([g, 0.0], change, rhs);
        }
    }

    /// Norm of the loads that would move every free node by the size of its cells in a stage. Residuals are compared
    /// with the loads, but never with more than this: a light part of a body under large stress, such as a fragment
    /// held by one cell, would otherwise be accelerated visibly by the remaining residual.
    fn most_load(&mut self, g: f64) -> f64 {
        if self.sizes.is_empty() {
            return f64::INFINITY;
        }
        let nodes = self.masses.iter().zip(&self.sizes);
        for (b, (mass, size)) in self.nodes.change.iter_mut().zip(nodes) {
            *b = DVec3::X * (mass * size / g);
        }
        self.unknowns.reduce(&self.nodes.change, &mut self.b);
        self.system.norm(&self.b)
    }

    /// Norm of momentum and its change, with which residuals are compared.
    pub(super) fn load_of_stage(&mut self, step: &Step<'_>, g: f64) -> f64 {
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        let whole = self.system.norm(&self.b);
        let most = self.most_load(g);
        let NodeVectors { base, change, .. } = &mut self.nodes;
        for (b, (base, mass)) in change.iter_mut().zip(base.v.iter().zip(&self.masses)) {
            *b = *mass * (*base + g * step.external.gravity);
        }
        self.unknowns.reduce(change, &mut self.b);
        let momentum = self.system.norm(&self.b);
        whole.min(momentum + most) + momentum
    }

    /// Solves A v = rhs from the guess in `nodes.v`.
    fn solve_velocity(&mut self, step: &mut Step<'_>, g: f64) {
        (step.phase)(Phase::Solve);
        let (load, most) = (self.load_of_stage(step, g), self.most_load(g));
        let NodeVectors { v, rhs, product, change, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        let reference = self.method.stepper.compares_with_load().then_some(load);
        let report: &mut LinearReport = &mut step.report;
        if self.pins_rest && reference.is_some() {
            // Prescribed nodes are at rest, so that the whole guess is in the unknowns.
            self.unknowns.reduce(rhs, &mut self.b);
            for (y, node) in self.y.iter_mut().zip(self.unknowns.nodes()) {
                *y = v[*node as usize];
            }
            self.unknowns.clear_inactive(&mut self.y);
            self.system.solve(&mut parts, &self.b, &mut self.y, reference, report);
            self.unknowns.expand(&self.y, v);
            return;
        }
        self.system.apply_nodes(&mut parts, v, product);
        for (rhs, product) in rhs.iter_mut().zip(product.iter()) {
            *rhs -= *product;
        }
        self.unknowns.reduce(rhs, &mut self.b);
        self.y.fill(DVec3::ZERO);
        // The loads include the forces of moving pins.
        let pulled = self.system.norm(&self.b).min(most);
        let reference = reference.map(|reference| reference + pulled);
        self.system.solve(&mut parts, &self.b, &mut self.y, reference, report);
        self.unknowns.expand(&self.y, change);
        v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v += *change);
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
