//! Forces that fall with speed, on the vertices of a skin and on nodes.

use glam::DVec3;

use crate::body::{Skin, SkinMotion, Unknowns};
use crate::force::point::{PointForce, PointForces};
use crate::math::Mat3;

/// A force on each of many points, and how it falls with their speed: what fields do to a body.
///
/// ```text
/// f(ṗ) = force − damping ṗ
/// ```
///
/// Wind and whatever else acts on a skin from outside adds to the forces of its vertices. [`DampedForces::spread`] takes
/// them to the nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DampedForces {
    /// The force on every point if it stood still, in N.
    pub forces: Vec<DVec3>,
    /// How it falls with speed; symmetric, without negative directions, in N·s/m. Empty if no force does.
    pub damping: Vec<Mat3>,
}

impl DampedForces {
    /// No force on any of so many points.
    pub fn reset(&mut self, count: usize) {
        self.clear();
        self.forces.resize(count, DVec3::ZERO);
    }

    /// No points.
    pub fn clear(&mut self) {
        self.forces.clear();
        self.damping.clear();
    }

    /// Makes room for forces that fall with speed.
    pub fn resist(&mut self) {
        self.damping.resize(self.forces.len(), Mat3::ZERO);
    }

    /// Whether some force falls with speed.
    pub fn resists(&self) -> bool {
        !self.damping.is_empty()
    }

    /// Writes the same as forces on nodes that move with velocities `v`, in m/s.
    ///
    /// ```text
    /// f(v⁺) = Hᵀ (f − B H v) − B̂ (v⁺ − v)        B̂ₐ = Σ Hᵢₐ Bᵢ
    /// ```
    ///
    /// - `f`, `B` force and damping of the vertices; `H` their weights, `v` the velocities now, `v⁺` those that a stepper looks for
    ///
    /// At the velocity now, forces and torques are those of the vertices. What resists a change of it is lumped, a block for
    /// every node. Weights that are not negative and sum to 1 make B̂ − Hᵀ B H positive, so that no step overshoots the
    /// velocity at which the force vanishes, however strong the damping; and for a body that moves as one the two are the same.
    pub fn spread(&self, skin: &Skin, motion: &SkinMotion, v: &[DVec3], nodes: &mut Self) {
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

    /// Adds the forces on nodes that are free, each as a point of its own.
    pub fn push_nodes(&self, unknowns: &Unknowns, points: &mut PointForces) {
        for (node, force) in (0u32..).zip(self.points()) {
            if acts(&force) && !unknowns.is_prescribed(node) {
                points.push([(node, 1.0)], force);
            }
        }
    }

    /// Adds the forces on the vertices of a skin.
    pub fn push_vertices(&self, skin: &Skin, points: &mut PointForces) {
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
