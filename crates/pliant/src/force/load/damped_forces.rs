//! Forces that decrease with velocity, on the vertices of a skin and on nodes.

use glam::DVec3;

use crate::body::{Skin, SkinMotion, Unknowns};
use crate::force::point::{PointForce, PointForces};
use pliant_kernels::math::Mat3;

/// A force on each of many points with its dependence on their velocity.
///
/// ```text
/// f(ṗ) = force − damping ṗ
/// ```
///
/// Wind and other loads add to the forces on the vertices of a skin. [`DampedForces::spread`] transfers them to the
/// nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DampedForces {
    /// The force on every point at zero velocity, in N.
    pub forces: Vec<DVec3>,
    /// The decrease of the force per velocity; symmetric positive semidefinite, in N·s/m. Empty if no force depends on
    /// velocity.
    pub damping: Vec<Mat3>,
}

impl DampedForces {
    /// Resets to `count` points without force.
    pub(crate) fn reset(&mut self, count: usize) {
        self.clear();
        self.forces.resize(count, DVec3::ZERO);
    }

    /// Removes all points.
    pub(crate) fn clear(&mut self) {
        self.forces.clear();
        self.damping.clear();
    }

    /// Allocates the damping of all points.
    pub(crate) fn resist(&mut self) {
        self.damping.resize(self.forces.len(), Mat3::ZERO);
    }

    /// True if some force depends on velocity.
    pub(crate) fn resists(&self) -> bool {
        !self.damping.is_empty()
    }

    /// Transfers the forces to nodes with velocities `v`, in m/s.
    ///
    /// ```text
    /// f(v⁺) = Hᵀ (f − B H v) − B̂ (v⁺ − v)        B̂ₐ = Σ Hᵢₐ Bᵢ
    /// ```
    ///
    /// - `f`, `B` force and damping of the vertices; `H` their weights, `v` the present velocities, `v⁺` those after
    ///   the step
    ///
    /// At the present velocity, forces and torques equal those of the vertices. The resistance to a change of velocity
    /// is lumped into one block per node. Non-negative weights with sum 1 make B̂ − Hᵀ B H positive semidefinite, so
    /// that no step overshoots the velocity at which the force vanishes, however strong the damping; for a pure
    /// translation both agree.
    pub(crate) fn spread(&self, skin: &Skin, motion: &SkinMotion, v: &[DVec3], nodes: &mut Self) {
        nodes.reset(v.len());
        if !self.resists() {
            return skin.spread(&self.forces, &mut nodes.forces);
        }
        nodes.resist();
        let vertices = self.forces.iter().zip(&self.damping).zip(&motion.v);
        for (vertex, ((force, damping), velocity)) in vertices.enumerate() {
            let now = *force - product(damping, *velocity);
            for (node, weight) in skin.weights(vertex) {
                nodes.forces[node as usize] += weight * now;
                nodes.damping[node as usize] += *damping * weight;
            }
        }
        for ((force, damping), v) in nodes.forces.iter_mut().zip(&nodes.damping).zip(v) {
            *force += product(damping, *v);
        }
    }

    /// Adds the forces on free nodes, each as a point force.
    pub(crate) fn push_nodes(&self, unknowns: &Unknowns, points: &mut PointForces) {
        for (node, force) in (0u32..).zip(self.points()) {
            if acts(&force) && !unknowns.is_prescribed(node) {
                points.push([(node, 1.0)], force);
            }
        }
    }

    /// Adds the forces on the vertices of a skin as point forces.
    pub(crate) fn push_vertices(&self, skin: &Skin, points: &mut PointForces) {
        for (vertex, force) in self.points().enumerate() {
            if acts(&force) {
                points.push(skin.weights(vertex), force);
            }
        }
    }

    fn points(&self) -> impl Iterator<Item = PointForce> {
        let damping = |point: usize| self.damping.get(point).copied().unwrap_or(Mat3::ZERO);
        let forces = self.forces.iter().enumerate();
        forces.map(move |(point, force)| PointForce {
            force: *force,
            stiffness: Mat3::ZERO,
            damping: damping(point),
        })
    }
}

fn acts(point: &PointForce) -> bool {
    point.force != DVec3::ZERO || !point.is_steady()
}

fn product(matrix: &Mat3, v: DVec3) -> DVec3 {
    matrix.mul_vec(v.into()).into()
}
