//! The stage of a rigid body in a joint solve.

use glam::{DMat3, DVec3};

use crate::body::{Body, Inertia, RigidMotion, Unknowns};
use crate::force::PointForces;
use crate::solver::matrix6::{Factor6, Matrix6, Vector6};

/// A rigid body in a joint solve. Its unknowns are the velocities of its four nodes, restricted to v + ω × r: its
/// preconditioner returns only such motions, and forces on its nodes are projected to those of a rigid motion with the
/// same total force and torque (`RigidStepper::project`), so that conjugate gradients never leave the six rigid
/// motions.
#[derive(Debug, Clone)]
pub(super) struct RigidStage {
    pub(super) inertia: Inertia,
    pub(super) unknowns: Unknowns,
    /// The motion at the start of the step.
    pub(super) motion: RigidMotion,
    pub(super) tensor: DMat3,
    pub(super) h: f64,
    /// Vectors from the centre of mass to the nodes.
    pub(super) arms: [DVec3; 4],
    pub(super) v: [DVec3; 4],
    pub(super) residual: [DVec3; 4],
    pub(super) load: f64,
    /// One over the masses of the nodes.
    pub(super) weights: [f64; 4],
    pub(super) matrix: Matrix6,
    pub(super) factor: Option<Factor6>,
}

impl RigidStage {
    /// The stage of a body with a rigid model; `None` for others.
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

    /// Total force and torque of forces on the nodes.
    pub(super) fn whole(&self, nodes: &[DVec3]) -> Vector6 {
        let mut sum = Vector6::default();
        self.arms.iter().zip(nodes).for_each(|(arm, value)| sum.add(*arm, *value));
        sum
    }

    /// Adds the matrix of all point forces, and their residual.
    pub(super) fn take_points(&mut self, points: &PointForces, x: &[DVec3]) {
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

    /// The norm weighted with the inverse diagonal.
    pub(super) fn norm(&self, values: &[DVec3; 4]) -> f64 {
        let terms = values.iter().zip(&self.weights);
        terms.map(|(value, weight)| weight * value.length_squared()).sum::<f64>().sqrt()
    }
}
