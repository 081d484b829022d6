//! The stage of a rigid body in a joint solve.

use glam::{DMat3, DVec3};

use crate::body::{Body, Inertia, RigidMotion, Unknowns};
use crate::force::PointForces;
use crate::solver::matrix6::{Factor6, Matrix6, Vector6};

/// What a rigid body brings to a joint solve: the velocities of its four nodes as unknowns, of which only
/// v + ω × r occur. Its preconditioner answers with nothing else, and whatever reaches its nodes is
/// replaced by what has the same force and torque and moves them as one (`RigidStepper::project`), so
/// that conjugate gradients never leave the six rigid motions.
#[derive(Debug, Clone)]
pub(super) struct RigidStage {
    pub(super) inertia: Inertia,
    pub(super) unknowns: Unknowns,
    /// Where the open step begins.
    pub(super) motion: RigidMotion,
    pub(super) tensor: DMat3,
    pub(super) h: f64,
    /// From the centre to the nodes.
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
    pub(super) fn whole(&self, nodes: &[DVec3]) -> Vector6 {
        let mut sum = Vector6::default();
        self.arms.iter().zip(nodes).for_each(|(arm, value)| sum.add(*arm, *value));
        sum
    }

    /// Adds the matrix of all points, and what they miss.
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

    /// The norm of one over the diagonal.
    pub(super) fn norm(&self, values: &[DVec3; 4]) -> f64 {
        let terms = values.iter().zip(&self.weights);
        terms.map(|(value, weight)| weight * value.length_squared()).sum::<f64>().sqrt()
    }
}
