//! Forces on points of the skin: handles, obstacles.

use glam::DVec3;

use crate::math::{Mat3, Vec3};

/// A force on one point of a body, linearised for implicit steppers.
///
/// The point is `p = Σ wₐ xₐ`. From where it is now,
///
/// ```text
/// f(p + Δp, ṗ) = force − stiffness Δp − damping ṗ
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointForce {
    /// The force where the point is now, if it stood still, in N.
    pub force: DVec3,
    /// How the force falls with a move; symmetric, without negative directions, in N/m.
    pub stiffness: Mat3,
    /// How the force falls with speed; symmetric, without negative directions, in N·s/m.
    pub damping: Mat3,
}

/// Forces on points of one body, gathered anew in every step. All points of one entry belong to
/// the nodes of a single cell, so that a matrix needs no room for them beyond that of its cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointForces {
    forces: Vec<PointForce>,
    /// Weights of force `i` are `start[i]..start[i + 1]`; the first is 0, missing while empty.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Directions in which forces push and never pull; none of those that do both.
    sides: Vec<Option<DVec3>>,
}

/// No forces on points.
pub static NO_POINT_FORCES: PointForces =
    PointForces { forces: Vec::new(), start: Vec::new(), weights: Vec::new(), sides: Vec::new() };

impl PointForces {
    /// Forgets all forces but keeps their memory.
    pub fn clear(&mut self) {
        self.forces.clear();
        self.start.clear();
        self.weights.clear();
        self.sides.clear();
    }

    /// Makes room for so many more forces, with so many weights in all.
    pub fn reserve(&mut self, forces: usize, weights: usize) {
        self.forces.reserve(forces);
        self.start.reserve(forces + 1);
        self.weights.reserve(weights);
        self.sides.reserve(forces);
    }

    /// Adds a force on the point that follows `weights`, of nodes of one cell.
    pub fn push(&mut self, weights: impl IntoIterator<Item = (u32, f64)>, force: PointForce) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.forces.push(force);
        self.weights.extend(weights);
        self.start.push(self.weights.len() as u32);
        self.sides.push(None);
    }

    /// The same for a force that pushes along the unit vector `side` but never pulls: a contact. Who
    /// solves for many unknowns takes it as it is linearised, who solves for few can do better.
    pub fn push_one_sided(
        &mut self,
        weights: impl IntoIterator<Item = (u32, f64)>,
        force: PointForce,
        side: DVec3,
    ) {
        self.push(weights, force);
        self.sides.pop();
        self.sides.push(Some(side));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// How many there may be before more memory is needed.
    pub fn capacity(&self) -> usize {
        self.forces.capacity()
    }

    /// Every force with the nodes and weights of its point.
    pub fn iter(&self) -> impl Iterator<Item = (&PointForce, &[(u32, f64)])> {
        let weights = |range: &[u32]| &self.weights[range[0] as usize..range[1] as usize];
        self.forces.iter().zip(self.start.windows(2).map(weights))
    }

    /// For every force the direction in which it pushes and never pulls, if it has one.
    pub fn sides(&self) -> impl Iterator<Item = Option<DVec3>> {
        self.sides.iter().copied()
    }

    /// Adds the forces to those on the nodes.
    pub fn add_forces(&self, forces: &mut [DVec3]) {
        self.add_scaled_forces(1.0, forces);
    }

    /// Adds `scale` times the forces.
    pub fn add_scaled_forces(&self, scale: f64, forces: &mut [DVec3]) {
        for (point, weights) in self.iter() {
            for (node, weight) in weights {
                forces[*node as usize] += (scale * *weight) * point.force;
            }
        }
    }

    /// Adds `(stiffness scale · stiffness + damping scale · damping)` times the moves `d`.
    pub fn add_product(&self, scales: [f64; 2], d: &[DVec3], product: &mut [DVec3]) {
        for (point, weights) in self.iter() {
            let along: DVec3 = weights.iter().map(|(node, w)| *w * d[*node as usize]).sum();
            let answer: Vec3 = point.matrix(scales).mul_vec(along.into());
            for (node, weight) in weights {
                product[*node as usize] += *weight * DVec3::from(answer);
            }
        }
    }
}

impl PointForce {
    /// Whether it stays what it is, however the point moves.
    pub fn is_steady(&self) -> bool {
        self.stiffness == Mat3::ZERO && self.damping == Mat3::ZERO
    }

    /// Stiffness and damping, each times its scale.
    pub fn matrix(&self, [stiffness, damping]: [f64; 2]) -> Mat3 {
        self.stiffness * stiffness + self.damping * damping
    }
}
