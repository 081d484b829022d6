//! A rigid body among others, in one linear solve.

use glam::DVec3;

use crate::body::{Body, RigidMotion, Unknowns};
use crate::force::PointForces;
use crate::solver::external::External;
use crate::solver::joint::RigidPart;
use crate::solver::matrix6::{Matrix6, Vector6};
use pliant_kernels::math::{Mat3, TimeStep};

use super::motion::{advance, fallen};
use super::stepper::RigidStepper;

impl RigidStepper {
    /// Starts a joint solve of a step from `t` by `h`; the guess is the velocity without the other bodies.
    pub(crate) fn open(
        &mut self,
        body: &Body,
        TimeStep { t, h }: TimeStep,
        external: External<'_>,
    ) {
        let stage = &mut self.stage;
        stage.residual.fill(DVec3::ZERO);
        if !body.pins().is_empty() {
            let mut from = [DVec3::ZERO; 4];
            body.move_pins(t, &mut from);
            body.move_pins(t + h, &mut stage.v);
            stage.v.iter_mut().zip(from).for_each(|(v, from)| *v = (*v - from) / h);
            return;
        }
        let inertia = stage.inertia;
        stage.h = h;
        stage.motion = fallen(&inertia, body, h, &external);
        let RigidMotion { rotation, velocity, angular_momentum, .. } = stage.motion;
        let omega = inertia.angular_velocity(rotation, angular_momentum);
        stage.arms = inertia.arms(rotation);
        stage.v = stage.arms.map(|arm| velocity + omega.cross(arm));
        stage.tensor = inertia.tensor(rotation);
        stage.matrix = Matrix6::inertia(inertia.mass, stage.tensor);
        stage.factor = None;
        stage.weights.fill(4.0 / inertia.mass);
        stage.take_points(external.points, &body.state.x);
        let momentum = stage.v.map(|v| 0.25 * inertia.mass * v);
        stage.load = stage.norm(&momentum) + stage.norm(&stage.residual);
    }

    /// Ends a step with the velocities of the joint solve.
    pub(crate) fn close(&mut self, body: &mut Body, step: TimeStep) {
        if !body.pins().is_empty() {
            body.place_pins(step);
            return;
        }
        let stage = &mut self.stage;
        let mass = 0.25 * stage.inertia.mass;
        let Vector6 { linear, angular } = stage.whole(&stage.v);
        stage.motion.velocity = 0.25 * linear;
        stage.motion.angular_momentum = mass * angular;
        advance(&stage.inertia, step.h, &mut stage.motion);
        stage.inertia.place(&stage.motion, &mut body.state);
    }

    /// One unknown for each of the four nodes; no unknowns for a held body.
    pub(crate) fn unknowns(&self) -> &Unknowns {
        &self.stage.unknowns
    }

    /// Velocities of the nodes in the open step.
    pub(crate) fn velocities(&self) -> &[DVec3] {
        &self.stage.v
    }

    /// The residual at these velocities, on nodes.
    pub(crate) fn residual(&mut self) -> &mut [DVec3] {
        &mut self.stage.residual
    }

    /// The residual in the unknowns.
    pub(crate) fn reduce_residual(&self, b: &mut [DVec3]) {
        b.iter_mut().zip(&self.stage.residual).for_each(|(b, residual)| *b = *residual);
    }

    /// Norm of all loads on the body.
    pub(crate) fn load(&self) -> f64 {
        if self.stage.unknowns.count() == 0 { 0.0 } else { self.stage.load }
    }

    /// Its mass, in kg.
    pub(crate) fn mass(&self) -> f64 {
        self.stage.inertia.mass
    }

    /// The body in its rigid motions, with its point forces; `None` for a held body. Writes the arms of its nodes.
    pub(crate) fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart> {
        arms.copy_from_slice(&self.stage.arms[..arms.len()]);
        let (centre, matrix) = (self.stage.motion.centre, self.stage.matrix);
        (!arms.is_empty()).then_some(RigidPart { centre, matrix })
    }

    /// One over the diagonal of its matrix.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.stage.weights[..self.stage.unknowns.count()]
    }

    /// Adds terms of other bodies to the diagonal block of an unknown.
    pub(crate) fn add_diagonal(&mut self, unknown: usize, block: &Mat3) {
        let arm = self.stage.arms[unknown];
        self.stage.matrix.add(arm, (*block).into());
        self.stage.factor = None;
    }

    /// Writes A p.
    pub(crate) fn apply(&self, points: &PointForces, p: &[DVec3], product: &mut [DVec3]) {
        let (mass, h) = (0.25 * self.stage.inertia.mass, self.stage.h);
        product.iter_mut().zip(p).for_each(|(product, p)| *product = mass * *p);
        if !p.is_empty() {
            points.add_product([h * h, h], p, product);
        }
    }

    /// Projects forces on the nodes to those of a rigid motion with the same total force and torque.
    pub(crate) fn project(&self, nodes: &mut [DVec3]) {
        let stage = &self.stage;
        let Vector6 { linear, angular } = stage.whole(nodes);
        let turn = stage.inertia.angular_velocity(stage.motion.rotation, angular);
        let share = 0.25 * stage.inertia.mass;
        for (value, arm) in nodes.iter_mut().zip(stage.arms) {
            *value = 0.25 * linear + share * turn.cross(arm);
        }
    }

    /// Writes z ≈ A⁻¹ r: exact except for the off-diagonal terms of pairs.
    pub(crate) fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let stage = &mut self.stage;
        let factor = *stage.factor.get_or_insert_with(|| stage.matrix.factor());
        let moved = factor.solve(stage.whole(r));
        z.iter_mut().zip(stage.arms).for_each(|(z, arm)| *z = moved.at(arm));
    }

    /// Adds a change to the velocities.
    pub(crate) fn add_velocity(&mut self, change: &[DVec3]) {
        self.stage.v.iter_mut().zip(change).for_each(|(v, change)| *v += *change);
    }
}
