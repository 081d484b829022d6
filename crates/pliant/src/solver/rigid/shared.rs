//! A rigid body among others, in one linear solve.

use glam::{DMat3, DVec3};

use crate::body::{Body, Inertia, RigidMotion, Unknowns};
use crate::force::PointForces;
use crate::math::{Mat3, TimeStep};

use super::{External, RigidStepper, advance, fallen};
use crate::solver::RigidPart;
use crate::solver::matrix6::{Factor6, Matrix6, Vector6};

/// What a rigid body brings to a joint solve: the velocities of its four nodes as unknowns, of which only
/// v + ω × r occur. Its preconditioner answers with nothing else, and whatever reaches its nodes is
/// replaced by what has the same force and torque and moves them as one ([`RigidStepper::project`]), so
/// that conjugate gradients never leave the six rigid motions.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    inertia: Inertia,
    unknowns: Unknowns,
    /// Where the open step begins.
    motion: RigidMotion,
    tensor: DMat3,
    h: f64,
    /// From the centre to the nodes.
    arms: [DVec3; 4],
    v: [DVec3; 4],
    residual: [DVec3; 4],
    load: f64,
    /// One over the masses of the nodes.
    weights: [f64; 4],
    matrix: Matrix6,
    factor: Option<Factor6>,
}

impl Shared {
    /// Of a body of a rigid model.
    pub(super) fn new(body: &Body) -> Option<Self> {
        let inertia = *body.model().inertia()?;
        let motion = inertia.motion(&body.state);
        let tensor = inertia.tensor(motion.rotation);
        Some(Self {
            inertia,
            unknowns: Unknowns::with_pins(4, body.pins()),
            motion,
            tensor,
            h: 0.0,
            arms: [DVec3::ZERO; 4],
            v: [DVec3::ZERO; 4],
            residual: [DVec3::ZERO; 4],
            load: 0.0,
            weights: [4.0 / inertia.mass; 4],
            matrix: Matrix6::inertia(inertia.mass, tensor),
            factor: None,
        })
    }

    pub(super) fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// Σ of what acts on the nodes, as force and torque.
    fn whole(&self, nodes: &[DVec3]) -> Vector6 {
        let mut sum = Vector6::default();
        self.arms.iter().zip(nodes).for_each(|(arm, value)| sum.add(*arm, *value));
        sum
    }

    /// Adds the matrix of all points, and what they miss.
    fn take_points(&mut self, points: &PointForces, x: &[DVec3]) {
        let h = self.h;
        for (point, weights) in points.iter() {
            let place: DVec3 = weights.iter().map(|(node, w)| *w * x[*node as usize]).sum();
            let velocity: DVec3 = weights.iter().map(|(node, w)| *w * self.v[*node as usize]).sum();
            let resistance: DMat3 = point.matrix([h, 1.0]).into();
            self.matrix.add(place - self.motion.centre, h * resistance);
            let impulse = h * (point.force - resistance * velocity);
            for (node, weight) in weights {
                self.residual[*node as usize] += *weight * impulse;
            }
        }
    }

    /// The norm of one over the diagonal.
    fn norm(&self, values: &[DVec3; 4]) -> f64 {
        let terms = values.iter().zip(&self.weights);
        terms.map(|(value, weight)| weight * value.length_squared()).sum::<f64>().sqrt()
    }
}

impl RigidStepper {
    /// Readies a joint solve of a step from `t` by `h`: velocities without what others do, as a guess.
    pub fn open(&mut self, body: &Body, TimeStep { t, h }: TimeStep, external: External<'_>) {
        let shared = &mut self.shared;
        shared.residual.fill(DVec3::ZERO);
        if !body.pins().is_empty() {
            let mut from = [DVec3::ZERO; 4];
            body.move_pins(t, &mut from);
            body.move_pins(t + h, &mut shared.v);
            shared.v.iter_mut().zip(from).for_each(|(v, from)| *v = (*v - from) / h);
            return;
        }
        let inertia = shared.inertia;
        shared.h = h;
        shared.motion = fallen(&inertia, body, h, &external);
        let RigidMotion { rotation, velocity, angular_momentum, .. } = shared.motion;
        let omega = inertia.angular_velocity(rotation, angular_momentum);
        shared.arms = inertia.arms(rotation);
        shared.v = shared.arms.map(|arm| velocity + omega.cross(arm));
        shared.tensor = inertia.tensor(rotation);
        shared.matrix = Matrix6::inertia(inertia.mass, shared.tensor);
        shared.factor = None;
        shared.weights.fill(4.0 / inertia.mass);
        shared.take_points(external.points, &body.state.x);
        let momentum = shared.v.map(|v| 0.25 * inertia.mass * v);
        shared.load = shared.norm(&momentum) + shared.norm(&shared.residual);
    }

    /// Ends a step with the velocities that were found.
    pub fn close(&mut self, body: &mut Body, step: TimeStep) {
        if !body.pins().is_empty() {
            body.place_pins(step);
            return;
        }
        let shared = &mut self.shared;
        let mass = 0.25 * shared.inertia.mass;
        let Vector6 { linear, angular } = shared.whole(&shared.v);
        shared.motion.velocity = 0.25 * linear;
        shared.motion.angular_momentum = mass * angular;
        advance(&shared.inertia, step.h, &mut shared.motion);
        shared.inertia.place(&shared.motion, &mut body.state);
    }

    /// One unknown for each of the four nodes; none of a body that is held.
    pub fn unknowns(&self) -> &Unknowns {
        &self.shared.unknowns
    }

    /// Velocities of the nodes in the open step.
    pub fn velocities(&self) -> &[DVec3] {
        &self.shared.v
    }

    /// The residual at these velocities, on nodes.
    pub fn residual(&mut self) -> &mut [DVec3] {
        &mut self.shared.residual
    }

    /// The same in the unknowns.
    pub fn reduce_residual(&self, b: &mut [DVec3]) {
        b.iter_mut().zip(&self.shared.residual).for_each(|(b, residual)| *b = *residual);
    }

    /// Size of all that acts on it.
    pub fn load(&self) -> f64 {
        if self.shared.unknowns.count() == 0 { 0.0 } else { self.shared.load }
    }

    /// Its mass, in kg.
    pub fn mass(&self) -> f64 {
        self.shared.inertia.mass
    }

    /// What it is in its rigid motions, with the points that push it; none of one that is held. Writes the arms of its nodes.
    pub fn rigid_part(&self, arms: &mut [DVec3]) -> Option<RigidPart> {
        arms.copy_from_slice(&self.shared.arms[..arms.len()]);
        let (centre, matrix) = (self.shared.motion.centre, self.shared.matrix);
        (!arms.is_empty()).then_some(RigidPart { centre, matrix })
    }

    /// One over the diagonal of its matrix.
    pub fn weights(&self) -> &[f64] {
        &self.shared.weights[..self.shared.unknowns.count()]
    }

    /// Hears what others add to the diagonal block of an unknown.
    pub fn add_diagonal(&mut self, unknown: usize, block: &Mat3) {
        let arm = self.shared.arms[unknown];
        self.shared.matrix.add(arm, (*block).into());
        self.shared.factor = None;
    }

    /// Writes A p.
    pub fn apply(&self, points: &PointForces, p: &[DVec3], product: &mut [DVec3]) {
        let (mass, h) = (0.25 * self.shared.inertia.mass, self.shared.h);
        product.iter_mut().zip(p).for_each(|(product, p)| *product = mass * *p);
        if !p.is_empty() {
            points.add_product([h * h, h], p, product);
        }
    }

    /// Replaces what reaches the nodes by what has the same force and torque and moves them as one.
    pub fn project(&self, nodes: &mut [DVec3]) {
        let shared = &self.shared;
        let Vector6 { linear, angular } = shared.whole(nodes);
        let turn = shared.inertia.angular_velocity(shared.motion.rotation, angular);
        let share = 0.25 * shared.inertia.mass;
        for (value, arm) in nodes.iter_mut().zip(shared.arms) {
            *value = 0.25 * linear + share * turn.cross(arm);
        }
    }

    /// Writes z ≈ A⁻¹ r: exactly, but for what pairs add off the diagonal.
    pub fn precondition(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let shared = &mut self.shared;
        let factor = *shared.factor.get_or_insert_with(|| shared.matrix.factor());
        let moved = factor.solve(shared.whole(r));
        z.iter_mut().zip(shared.arms).for_each(|(z, arm)| *z = moved.at(arm));
    }

    /// Adds a change to the velocities.
    pub fn add_velocity(&mut self, change: &[DVec3]) {
        self.shared.v.iter_mut().zip(change).for_each(|(v, change)| *v += *change);
    }
}
