//! Forces on points of the skin in steppers that solve no system.

use glam::DVec3;

use crate::force::{PointForce, PointForces};
use crate::math::Mat3;

/// Rounds after which the forces are taken as they are.
pub const MAX_POINT_FORCE_ROUNDS: usize = 20;

/// Change of all forces in a round, relative to their size, below which they are found.
pub const POINT_FORCE_TOLERANCE: f64 = 1e-4;

/// Forces on points that change the velocities which all others have led to, and the buffer for them.
///
/// ```text
/// fᵢ = forceᵢ − Cᵢ ṗᵢ⁺        v⁺ = v + h M⁻¹ Σ wᵢ fᵢ        Cᵢ = dampingᵢ + h stiffnessᵢ
/// ```
///
/// Points that share no node do not know of each other, and one round finds all. Others do, as those
/// on a curved side: they are asked one after the other, in rounds (Gauss–Seidel), until each feels
/// the force that goes with the velocity that all have led to.
#[derive(Debug, Clone, Default)]
pub(super) struct PushPoints {
    /// Force on every point so far, in N.
    forces: Vec<DVec3>,
}

impl PushPoints {
    /// Takes all the memory that ever these points can ask for, so that no later step has to.
    pub(super) fn make_room(&mut self, points: &PointForces) {
        self.forces.clear();
        self.forces.reserve(points.capacity());
    }

    /// Changes the velocities `v` of nodes with these masses as the points ask in a step of `h`.
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

    /// Asks every point once; returns the squares of the change of all forces and of their size.
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

/// What must be added to the force that a point of velocity `v` feels already, for it to be the one that
/// goes with the velocity at the end of a step of `h`:
///
/// ```text
/// f = force − C v⁺        v⁺ = v + h (f − felt)/m        C = damping + h stiffness        1/m = Σ wₐ²/mₐ
/// ```
///
/// Between two points v is their relative velocity and 1/m the sum of both.
pub fn implicit_change(
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
