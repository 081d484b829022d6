//! Rigid motion over a step.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{Body, Inertia, RigidMotion};
use crate::solver::external::External;

/// The motion after gravity and damping.
pub(super) fn fallen(
    inertia: &Inertia,
    body: &Body,
    h: f64,
    external: &External<'_>,
) -> RigidMotion {
    let mut motion = inertia.motion(&body.state);
    let decay = 1.0 / (1.0 + h * external.damping);
    // Damping acts on the velocity only, before gravity is added, so that a body at rest keeps its full weight.
    motion.velocity = decay * motion.velocity + h * external.gravity;
    motion.angular_momentum *= decay;
    motion
}

/// Moves and rotates the body through a step with its present momenta.
pub(super) fn advance(inertia: &Inertia, h: f64, motion: &mut RigidMotion) {
    /// Largest number of iterations for the rotation at the midpoint.
    const MAX_TURNS: usize = 12;
    /// Change of an angle, in rad, below the rounding error.
    const SETTLED: f64 = 1e-15;
    motion.centre += h * motion.velocity;
    let (start, momentum) = (motion.rotation, motion.angular_momentum);
    let mut omega = inertia.angular_velocity(start, momentum);
    for _ in 0..MAX_TURNS {
        let middle = turn(0.5 * h * omega) * start;
        let next = inertia.angular_velocity(middle, momentum);
        let change = h * (next - omega).length();
        omega = next;
        if change <= SETTLED {
            break;
        }
    }
    motion.rotation = turn(h * omega) * start;
}

/// The rotation about `angle` by its length, in rad.
fn turn(angle: DVec3) -> DMat3 {
    DMat3::from_quat(DQuat::from_scaled_axis(angle))
}
