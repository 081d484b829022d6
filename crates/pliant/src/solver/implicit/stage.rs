//! The equation that every implicit rule solves, linearised once.

use glam::DVec3;

use crate::body::RestShape;
use crate::force::{NO_POINT_FORCES, PointForces};
use crate::solver::linear::{Masses, Scales, SystemParts};
use crate::solver::phase::Phase;
use crate::solver::report::LinearReport;

use super::implicit::Implicit;
use super::node_vectors::NodeVectors;
use super::parts::{masses, parts};
use super::step::Step;

/// The residual, relative to the right-hand side of a stage, that rounding may leave.
pub(super) const ROUNDING: f64 = 1e-11;

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
    /// Bargteil & Cohen 2014, eq. 12, where x̄ = x. In a turning frame M has the factor m of `open_turning`, and damping
    /// √m.
    pub(super) fn linear_stage(&mut self, step: &mut Step<'_>, g: f64) {
        let known = std::mem::take(&mut self.forces_known) && self.nodes.x == self.nodes.begin;
        if !known {
            self.evaluate(step);
        }
        self.prepare(step, g, g, ImplicitTerms::All);
        let (_, b) = self.rayleigh(step);
        if self.ahead && b == 0.0 {
            self.write_residual_ahead(step, g);
        } else if self.continues_changes() {
            self.write_residual(step, g);
        } else {
            self.write_momentum(step);
            self.add_forces(step, g);
            self.take_offsets(step, g);
            self.energy_bounded_guess(step);
            self.take_product(step);
        }
        self.solve_residual(step, g);
    }

    /// Writes the residual at the guess v, if the stage is linearised at the positions that it leads to: the forces there are known,
    /// and no product with K is needed.
    ///
    /// ```text
    /// rhs = M [m ū − (m + √m g a) v] + g [f(x̄ + g v) + f_ext]
    /// ```
    pub(super) fn write_residual_ahead(&mut self, step: &mut Step<'_>, g: f64) {
        self.write_change_of_momentum();
        let NodeVectors { rhs, change, x, begin, .. } = &mut self.nodes;
        if !step.external.points.is_empty() {
            let moved = x.iter().zip(begin.iter()).map(|(x, begin)| *x - *begin);
            change.iter_mut().zip(moved).for_each(|(to, moved)| *to = moved);
            step.external.points.add_product([-g, -1.0], change, rhs);
        }
        self.add_forces(step, g);
    }

    /// Writes the residual at the guess v, with one product with the masses.
    fn write_residual(&mut self, step: &mut Step<'_>, g: f64) {
        self.write_change_of_momentum();
        self.add_forces(step, g);
        self.take_offsets(step, g);
        let Scales { stiffness, points, .. } = *self.system.scales();
        let NodeVectors { v, rhs, product, .. } = &mut self.nodes;
        self.elasticity.apply(step.rest, v, product);
        rhs.iter_mut().zip(product.iter()).for_each(|(rhs, own)| *rhs -= stiffness * *own);
        step.external.points.add_product(points.map(|scale| -scale), v, rhs);
    }

    /// rhs = M (m v̄ − n v), with the factor n of the mass in the matrix.
    fn write_change_of_momentum(&mut self) {
        let (m, own) = (self.inertia_scale, self.system.scales().mass);
        let masses = masses!(self);
        let NodeVectors { base, v, rhs, padded, .. } = &mut self.nodes;
        for (node, to) in padded.iter_mut().enumerate() {
            let [x, y, z] = (m * base.v[node] - own * v[node]).to_array();
            *to = [x, y, z, 0.0];
        }
        masses.product(padded, rhs);
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

    /// rhs −= A v, on nodes: the residual at v.
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
        let scales = self.stage_scales(step, g, ahead, terms);
        self.prepare_system(step, scales);
    }

    /// The factors of the parts in the system of a stage.
    pub(super) fn stage_scales(
        &self,
        step: &Step<'_>,
        g: f64,
        ahead: f64,
        terms: ImplicitTerms,
    ) -> Scales {
        let (a, b) = self.rayleigh(step);
        let elastic = if terms == ImplicitTerms::All { g * g } else { 0.0 };
        let points = [g * ahead, g];
        // In a turning frame, the velocity at the end of the step is (h/g) times that of the stage, and an offset.
        let m = self.inertia_scale;
        let damped = g * m.sqrt();
        Scales { mass: m + damped * a, stiffness: damped * b + elastic, points }
    }

    fn prepare_system(&mut self, step: &mut Step<'_>, scales: Scales) {
        (step.phase)(Phase::Assembly);
        if scales.stiffness > 0.0 {
            self.elasticity.linearise(step.rest, &self.nodes.x);
        }
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.prepare(&mut parts, scales, step.phase, &mut step.report);
    }

    /// Assembles the system that was prepared, if the joint solve needs it.
    pub(super) fn assemble_for_joint(&mut self, step: &mut Step<'_>) {
        let mut parts = parts!(self, step, &self.nodes.x);
        self.system.assemble_for_joint(&mut parts);
    }

    /// Shares of mass and stiffness in the damping.
    pub(super) fn rayleigh(&self, step: &Step<'_>) -> (f64, f64) {
        (self.method.rayleigh.mass + step.external.damping, self.method.rayleigh.stiffness)
    }

    /// rhs = m M v̄.
    pub(super) fn write_momentum(&mut self, step: &mut Step<'_>) {
        let scales = Scales { mass: self.inertia_scale, ..Scales::default() };
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
    pub(super) fn take_offsets(&mut self, step: &mut Step<'_>, g: f64) {
        let (_, b) = self.rayleigh(step);
        let NodeVectors { base, x, begin, rhs, change, product, offset, .. } = &mut self.nodes;
        if b != 0.0 && self.inertia_scale != 1.0 {
            // The part of the velocity at the end of a step in a turning frame that is not of the stage.
            self.elasticity.apply(step.rest, offset, product);
            let share = b * self.inertia_scale.sqrt();
            rhs.iter_mut().zip(product.iter()).for_each(|(rhs, product)| *rhs -= share * *product);
        }
        if base.x != *x {
            let steps = base.x.iter().zip(x.iter()).map(|(base, x)| *base - *x);
            change.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
            self.elasticity.apply(step.rest, change, product);
            rhs.iter_mut().zip(product.iter()).for_each(|(rhs, product)| *rhs -= g * *product);
        }
        if !step.external.points.is_empty() && base.x != *begin {
            let steps = begin.iter().zip(base.x.iter()).map(|(begin, base)| *begin - *base);
            change.iter_mut().zip(steps).for_each(|(to, step)| *to = step);
            step.external.points.add_product([g, 1.0], change, rhs);
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

    /// The load of a stage, with which residuals are compared: the norm of the impulse that changes the motion in it, and of that
    /// of gravity. A body at rest is held by forces that balance gravity, and its motion does not change; there the impulse
    /// of gravity is the scale. The residual at the guess is in `rhs`.
    ///
    /// The momentum alone is no scale: with short steps the change is a small part of it, and a solve could stop before the
    /// motion has changed at all. But it is a bound: stiff contacts make impulses at the guess that are far larger than
    /// any change of motion.
    pub(super) fn load_of_stage(&mut self, step: &mut Step<'_>, g: f64) -> f64 {
        let change = self.change_of_motion(step);
        let weight = g * step.external.gravity;
        let gravity = self.norm_of(|_, _| weight);
        let momentum = self
            .norm_of(|nodes, node| nodes.v[node] + (nodes.base.x[node] - nodes.begin[node]) / g);
        // A moving pin changes the motion of a body that is at rest.
        let most = if self.pins_rest { momentum } else { f64::INFINITY };
        let most = most.min(self.most_load(g));
        change.min(gravity + most) + gravity + ROUNDING * momentum
    }

    /// Norm of the momentum of nodes with these velocities.
    pub(super) fn norm_of(&mut self, velocity: impl Fn(&NodeVectors, usize) -> DVec3) -> f64 {
        for (node, mass) in self.masses.iter().enumerate() {
            self.nodes.change[node] = *mass * velocity(&self.nodes, node);
        }
        self.unknowns.reduce(&self.nodes.change, &mut self.b);
        self.system.norm(&self.b)
    }

    /// Norm of the residual of a motion without change: that of the guess, and of its difference from such a motion.
    fn change_of_motion(&mut self, step: &mut Step<'_>) -> f64 {
        let NodeVectors { v, steady, rhs, product, change, x, .. } = &mut self.nodes;
        for (node, (change, v)) in change.iter_mut().zip(v.iter()).enumerate() {
            let prescribed = self.unknowns.is_prescribed(node as u32);
            *change = if prescribed { DVec3::ZERO } else { *v - steady[node] };
        }
        self.unknowns.place_tied(change);
        if change.iter().all(|change| *change == DVec3::ZERO) {
            self.unknowns.reduce(rhs, &mut self.b);
        } else {
            let mut parts = parts!(self, step, x);
            self.system.apply_nodes(&mut parts, change, product);
            product.iter_mut().zip(rhs.iter()).for_each(|(sum, rhs)| *sum += *rhs);
            self.unknowns.reduce(product, &mut self.b);
        }
        self.system.project(&mut self.b);
        self.system.norm(&self.b)
    }

    /// Solves A v = rhs from the guess in `nodes.v`.
    fn solve_velocity(&mut self, step: &mut Step<'_>, g: f64) {
        self.take_product(step);
        self.solve_residual(step, g);
    }

    /// Adds the solution of A change = rhs to the guess, and leaves it in `change`.
    fn solve_residual(&mut self, step: &mut Step<'_>, g: f64) {
        (step.phase)(Phase::Solve);
        let load = self.load_of_stage(step, g);
        self.unknowns.reduce(&self.nodes.rhs, &mut self.b);
        self.continue_changes(step, load);
        let NodeVectors { v, change, x, .. } = &mut self.nodes;
        let mut parts = parts!(self, step, x);
        let report: &mut LinearReport = &mut step.report;
        self.y.fill(DVec3::ZERO);
        let outcome = self.system.solve(&mut parts, &self.b, &mut self.y, Some(load), report);
        self.unknowns.expand(&self.y, change);
        v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v += *change);
        self.note_iterations(&outcome);
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
