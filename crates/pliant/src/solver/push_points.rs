//! Forces on points of the skin in steppers that solve no system.

use glam::DVec3;

use crate::force::{PointForce, PointForces};
use crate::math::Mat3;

/// Lets the forces on points change the velocities that all others have led to, one after the
/// other, each as it will be at the end ([`implicit_impulse`]).
pub(super) fn push_points(points: &PointForces, masses: &[f64], h: f64, v: &mut [DVec3]) {
    for (point, weights) in points.iter() {
        let (mut velocity, mut inverse_mass) = (DVec3::ZERO, 0.0);
        for (node, weight) in weights {
            velocity += *weight * v[*node as usize];
            inverse_mass += weight * weight / masses[*node as usize];
        }
        let impulse = implicit_impulse(point, velocity, inverse_mass, h);
        for (node, weight) in weights {
            v[*node as usize] += *weight / masses[*node as usize] * impulse;
        }
    }
}

/// The impulse of a force during `h` on a point of velocity `v`, as it will be at the end:
///
/// ```text
/// f = force − C v⁺        v⁺ = v + h f/m        C = damping + h stiffness        1/m = Σ wₐ²/mₐ
/// ```
///
/// Between two points v is their relative velocity and 1/m the sum of both.
pub fn implicit_impulse(force: &PointForce, v: DVec3, inverse_mass: f64, h: f64) -> DVec3 {
    let resistance = force.matrix([h, 1.0]);
    let right = force.force - DVec3::from(resistance.mul_vec(v.into()));
    let matrix: Mat3 = (resistance * (h * inverse_mass)).add_diagonal(1.0);
    h * DVec3::from(matrix.inverse().mul_vec(right.into()))
}
