//! Point forces in steppers without a system of equations.

use glam::DVec3;

use crate::force::{PointForce, PointForces};
use pliant_kernels::math::Mat3;

/// Largest number of Gauss–Seidel rounds over the point forces.
pub(crate) const MAX_POINT_FORCE_ROUNDS: usize = 20;

/// Change of all forces in a round, relative to their norm, at which the rounds stop.
pub(crate) const POINT_FORCE_TOLERANCE: f64 = 1e-4;

/// Applies point forces to the velocities that result from all other forces, and owns the buffer for it.
///
/// ```text
/// fᵢ = forceᵢ − Cᵢ ṗᵢ⁺        v⁺ = v + h M⁻¹ Σ wᵢ fᵢ        Cᵢ = dampingᵢ + h stiffnessᵢ
/// ```
///
/// Points that share no node are independent, and one round is enough. Others, such as those on a curved side, are
/// coupled: they are solved one after the other, in rounds (Gauss–Seidel), until the force on each matches the velocity
/// that results from all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct PushPoints {
    /// Force on every point so far, in N.
    forces: Vec<DVec3>,
}

impl PushPoints {
    /// Allocates for as many points as can ever occur, so that no later step allocates.
    pub(super) fn make_room(&mut self, points: &PointForces) {
        self.forces.clear();
        self.forces.reserve(points.capacity());
    }

    /// Changes the velocities `v` of nodes with these masses by the point forces of a step of `h`.
    pub(super) fn push(&mut self, points: &PointForces, masses: &[f64], h: f64, v: &mut [DVec3]) {
        self.make_room(points);
        self.forces.resize(points.len(), DVec3::ZERO);
        for _ in 0..MAX_POINT_FORCE_ROUNDS {
            let (changed, size) = self.round(points, masses, h, v);
            if changed <= POINT_FORCE_TOLERANCE * POINT_FORCE_TOLERANCE * size {
                return;
            }
        }
    }

    /// Solves every point once; returns the squared norms of the change of all forces and of the forces.
    fn round(
        &mut self,
        points: &PointForces,
        masses: &[f64],
        h: f64,
        v: &mut [DVec3],
    ) -> (f64, f64) {
        let (mut changed, mut size) = (0.0, 0.0);
        for (felt, (point, weights)) in self.forces.iter_mut().zip(points.iter()) {
            let (mut velocity, mut inverse_mass) = (DVec3::ZERO, 0.0);
            for (node, weight) in weights {
                velocity += *weight * v[*node as usize];
                inverse_mass += weight * weight / masses[*node as usize];
            }
            let change = implicit_change(point, *felt, velocity, inverse_mass, h);
            *felt += change;
            changed += change.length_squared();
            size += felt.length_squared();
            for (node, weight) in weights {
                v[*node as usize] += (h * *weight / masses[*node as usize]) * change;
            }
        }
        (changed, size)
    }
}

/// The change of the force `felt` on a point of velocity `v` that makes it consistent with the velocity at the end of a
/// step of `h`:
///
/// ```text
/// f = force − C v⁺        v⁺ = v + h (f − felt)/m        C = damping + h stiffness        1/m = Σ wₐ²/mₐ
/// ```
///
/// Between two points, v is their relative velocity and 1/m the sum of both inverse masses.
pub(crate) fn implicit_change(
    force: &PointForce,
    felt: DVec3,
    v: DVec3,
    inverse_mass: f64,
    h: f64,
) -> DVec3 {
    let resistance = force.matrix([h, 1.0]);
    let wanted = force.force - DVec3::from(resistance.mul_vec(v.into()));
    let matrix: Mat3 = (resistance * (h * inverse_mass)).add_diagonal(1.0);
    matrix.inverse().mul_vec((wanted - felt).into()).into()
}
