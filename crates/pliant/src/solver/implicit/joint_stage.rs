//! A stage of implicit Euler, in the turning frame, that is solved together with those of other bodies.
//!
//! It is the step of every implicit stepper while the body touches another one or is attached to one. Contact forces change at once,
//! so that rules of higher order gain nothing, and they would have to be found a second time for the rule of the body.

use glam::DVec3;
use pliant_sparse::BlockMatrix;

use crate::body::{Body, RestShape, Unknowns};
use crate::force::PointForces;
use crate::solver::external::External;
use crate::solver::joint::RigidPart;
use crate::solver::linear::Outcome;
use crate::solver::matrix6::Matrix6;
use crate::solver::phase::Phase;
use crate::solver::report::LinearReport;
use pliant_kernels::math::{Mat3, PointMasses, TimeStep};

use super::implicit::Implicit;
use super::node_vectors::NodeVectors;
use super::stage::ImplicitTerms;
use super::step::Step;
use super::turning::FrameRule;

impl Implicit {
    /// Prepares the stage of a step: the velocities are those at its start, and the residual at these velocities is on
    /// the nodes.
    pub fn open(
        &mut self,
        body: &mut Body,
        time: TimeStep,
        external: External<'_>,
    ) -> LinearReport {
        let (h, flowed) = (time.h, body.flowed_model());
        let mut silent = |_: Phase| {};
        let report = LinearReport::default();
        let rest = flowed.rest_shape();
        let mut step = Step { rest, time, external, phase: &mut silent, report };
        self.adapt(body, &mut step);
        self.nodes.begin.copy_from_slice(&body.state.x);
        let turning = self.open_turning(&body.state, &mut step, FrameRule::OneStep, false);
        self.turning = Some(turning);
        self.ahead = false;
        self.past.forget();
        self.history.begin(&body.state, h);
        self.budget.forget();
        self.pin_velocities(body, &step, h);
        self.forces_known = false;
        self.evaluate(&mut step);
        self.prepare(&mut step, h, h, ImplicitTerms::All);
        self.assemble_for_joint(&mut step);
        self.write_momentum(&mut step);
        self.add_forces(&mut step, h);
        self.take_offsets(&mut step, h);
        self.energy_bounded_guess(&mut step);
        self.take_product(&mut step);
        self.load = self.load_of_stage(&mut step, h);
        self.write_chord(h);
        step.report
    }

    /// Ends the step with the velocities of the joint solve.
    pub fn close(&mut self, body: &mut Body, step: TimeStep) {
        let h = step.h;
        let turn = self.take_turn(body.rest_shape(), h);
        self.is_rough |= self.limit_step(body.rest_shape(), h);
        if let Some(turning) = self.turning.take() {
            self.close_turning(body, h, turning);
        }
        if let Some(turn) = turn {
            self.add_turn(body, h, turn);
        }
        body.place_held(step);
        self.history.end(&body.state);
        self.history.touched = true;
    }

    /// True if cells left the trust region in a joint step since the last call: its energy may be far from that of the linear model.
    pub fn took_rough_step(&mut self) -> bool {
        std::mem::take(&mut self.is_rough)
    }

    /// The elastic energy with nodes at `x`, in J.
    pub fn elastic_energy(&mut self, rest: RestShape<'_>, x: &[DVec3]) -> f64 {
        self.forces_known = false;
        self.elasticity.forces(rest, x, &mut self.nodes.forces)
    }

    /// Its unknowns.
    pub fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    /// Displacements in the step over its length: the velocities of the open stage, with those of a turning frame.
    pub fn velocities(&self) -> &[DVec3] {
        &self.nodes.chord
    }

    fn write_chord(&mut self, h: f64) {
        let NodeVectors { chord, v, base, begin, .. } = &mut self.nodes;
        let moves = base.x.iter().zip(begin.iter()).map(|(base, begin)| (*base - *begin) / h);
        let sums = v.iter().zip(moves).map(|(v, carried)| *v + carried);
        chord.iter_mut().zip(sums).for_each(|(chord, sum)| *chord = sum);
    }

    /// The residual at these velocities, on nodes.
    pub fn residual(&mut self) -> &mut [DVec3] {
        &mut self.nodes.rhs
    }

    /// The residual in the unknowns.
    pub fn reduce_residual(&self, b: &mut [DVec3]) {
        self.unknowns.reduce(&self.nodes.rhs, b);
    }

    /// Norm of the loads.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// The total mass as it appears in the matrix of the stage, in kg.
    pub fn mass(&self) -> f64 {
        self.system.scales().mass * self.masses.iter().sum::<f64>()
    }

    /// The body in its rigid motions, with its point forces; `None` if it is pinned. Writes the arms of its unknowns.
    pub fn rigid_part(&self, points: &PointForces, arms: &mut [DVec3]) -> Option<RigidPart> {
        let (x, scales) = (&self.nodes.x, self.system.scales());
        if self.unknowns.count() < x.len() {
            return None;
        }
        let PointMasses { mass, centre, inertia } = self.mass_matrix().moments(x);
        arms.iter_mut().zip(x).for_each(|(arm, x)| *arm = *x - centre);
        let mut matrix = Matrix6::inertia(scales.mass * mass, scales.mass * inertia);
        for (point, weights) in points.iter() {
            let place: DVec3 = weights.iter().map(|(node, w)| *w * x[*node as usize]).sum();
            matrix.add(place - centre, point.matrix(scales.points).into());
        }
        Some(RigidPart { centre, matrix })
    }

    /// One over the diagonal of its matrix.
    pub fn weights(&self) -> &[f64] {
        self.system.weights()
    }

    /// Adds terms of pairs to the diagonal block of an unknown.
    pub fn add_diagonal(&mut self, unknown: usize, block: &Mat3) {
        self.system.stiffen(unknown, block);
    }

    /// True if terms of pairs between two unknowns are used.
    pub fn uses_couplings(&self) -> bool {
        self.system.uses_couplings()
    }

    /// Adds terms of pairs to the block of two unknowns, row > column.
    pub fn couple(&mut self, row: usize, column: usize, block: &Mat3) {
        self.system.couple(row, column, block);
    }

    /// Its assembled matrix, if there is one and no region is rigid.
    pub fn matrix(&self) -> Option<&BlockMatrix> {
        self.system.matrix()
    }

    /// True if its solves were slow without a factor.
    pub fn is_stiff(&self) -> bool {
        self.system.is_stiff()
    }

    /// Receives the outcome of the joint solve.
    pub fn solved(&mut self, outcome: &Outcome) {
        self.system.note(outcome);
    }

    /// Limits the iterations of a solve.
    pub fn grant(&mut self, iterations: u32) {
        self.system.grant(iterations);
    }

    /// Takes over solver choices from the stepper of the body that this fragment came from.
    pub fn follow(&mut self, whole: &Self) {
        self.system.follow(&whole.system);
    }

    /// Writes z ≈ A⁻¹ r.
    pub fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        self.system.precondition(r, z);
    }

    /// Projects residuals, or changes of unknowns, to the rigid motions of rigid regions.
    pub fn project(&self, values: &mut [DVec3]) {
        self.system.project(values);
    }

    /// Adds a change of the unknowns to the velocities.
    pub fn add_velocity(&mut self, change: &[DVec3]) {
        let NodeVectors { v, chord, change: on_nodes, .. } = &mut self.nodes;
        self.unknowns.expand(change, on_nodes);
        v.iter_mut().zip(on_nodes.iter()).for_each(|(v, change)| *v += *change);
        chord.iter_mut().zip(on_nodes.iter()).for_each(|(v, change)| *v += *change);
    }
}
