//! Forces on points of the skin: dragging, obstacles.

use glam::DVec3;

use pliant_kernels::math::{Mat3, Vec3};

/// A force on one point of a body, linearised for implicit steppers.
///
/// The point is `p = Σ wₐ xₐ`. From its present position,
///
/// ```text
/// f(p + Δp, ṗ) = force − stiffness Δp − damping ṗ
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointForce {
    /// The force at the present position with zero velocity, in N.
    pub force: DVec3,
    /// Decrease of the force per displacement; symmetric positive semidefinite, in N/m.
    pub stiffness: Mat3,
    /// Decrease of the force per velocity; symmetric positive semidefinite, in N·s/m.
    pub damping: Mat3,
}

/// Forces on points of one body, collected in every step. Each point is a combination of the nodes of a single cell, so
/// that the matrix needs no blocks beyond those of its cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointForces {
    forces: Vec<PointForce>,
    /// Weights of force `i` are `start[i]..start[i + 1]`; the first is 0, missing while empty.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Directions of contacts, which push and never pull; `None` for other forces.
    sides: Vec<Option<DVec3>>,
}

/// An empty list.
pub static NO_POINT_FORCES: PointForces =
    PointForces { forces: Vec::new(), start: Vec::new(), weights: Vec::new(), sides: Vec::new() };

impl PointForces {
    /// Removes all forces but keeps the allocation.
    pub fn clear(&mut self) {
        self.forces.clear();
        self.start.clear();
        self.weights.clear();
        self.sides.clear();
    }

    /// Reserves memory for more forces with this number of weights in total.
    pub fn reserve(&mut self, forces: usize, weights: usize) {
        self.forces.reserve(forces);
        self.start.reserve(forces + 1);
        self.weights.reserve(weights);
        self.sides.reserve(forces);
    }

    /// Adds a force on the point with these `weights` of the nodes of one cell.
    pub fn push(&mut self, weights: impl IntoIterator<Item = (u32, f64)>, force: PointForce) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.forces.push(force);
        self.weights.extend(weights);
        self.start.push(self.weights.len() as u32);
        self.sides.push(None);
    }

    /// Adds a contact: a force that pushes along the unit vector `side` but never pulls. Steppers with many unknowns
    /// use it in its linearised form; those with few test whether it pushes.
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

    /// True if there are no forces.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// True if some of them are contacts.
    pub fn has_contacts(&self) -> bool {
        self.sides.iter().any(Option::is_some)
    }

    /// The number of forces.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// The number of forces that fit in the allocated memory.
    pub fn capacity(&self) -> usize {
        self.forces.capacity()
    }

    /// Every force with the nodes and weights of its point.
    pub fn iter(&self) -> impl Iterator<Item = (&PointForce, &[(u32, f64)])> {
        let weights = |range: &[u32]| &self.weights[range[0] as usize..range[1] as usize];
        self.forces.iter().zip(self.start.windows(2).map(weights))
    }

    /// For every force its direction, if it is a contact.
    pub fn sides(&self) -> impl Iterator<Item = Option<DVec3>> {
        self.sides.iter().copied()
    }

    /// The energy that all contacts of a body of this mass, in kg, can give back from the present positions in steps of `h`, in J.
    pub fn energy_in_contacts(&self, mass: f64, h: f64) -> f64 {
        let contacts = self.forces.iter().zip(&self.sides);
        contacts
            .filter_map(|(force, side)| side.map(|side| force.energy_along(side, mass, h)))
            .sum()
    }

    /// The same after `h` seconds with these velocities of the nodes.
    pub fn energy_after(&self, mass: f64, h: f64, v: &[DVec3]) -> f64 {
        let moved = |weights: &[(u32, f64)]| -> DVec3 {
            weights.iter().map(|(node, w)| h * *w * v[*node as usize]).sum()
        };
        let energies = self.iter().zip(&self.sides).filter_map(|((force, weights), side)| {
            side.map(|side| force.moved(moved(weights)).energy_along(side, mass, h))
        });
        energies.sum()
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

    /// Adds `(stiffness scale · stiffness + damping scale · damping)` times the displacements `d`.
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
    /// A share of the force.
    pub(crate) fn scaled(&self, share: f64) -> Self {
        let Self { force, stiffness, damping } = *self;
        Self { force: force * share, stiffness: stiffness * share, damping: damping * share }
    }

    /// The same force after the point has moved.
    pub(crate) fn moved(&self, by: DVec3) -> Self {
        let lost: Vec3 = self.stiffness.mul_vec(by.into());
        Self { force: self.force - DVec3::from(lost), ..*self }
    }

    /// The energy that a contact which pushes along a unit vector can give back to a body of mass `m` in steps of `h`, in J.
    ///
    /// ```text
    /// min( ½ f²/k,  ½ m u² )        u = f/(c + h k)
    /// ```
    ///
    /// - `f` the force in N, `k` stiffness in N/m, `c` damping in N·s/m
    /// - `u` the speed at which an implicit step pushes the point out, in m/s; a heavier body leaves more slowly
    ///
    /// A stiff contact is left within few steps, and its damper takes most of the energy of its spring. That of a fragment which broke below the surface of
    /// an obstacle was a thousand times the energy of its motion, and the motion got none of it.
    pub(crate) fn energy_along(&self, side: DVec3, mass: f64, h: f64) -> f64 {
        let force = side.dot(self.force).max(0.0);
        let along = |matrix: &Mat3| side.dot(matrix.mul_vec(side.into()).into());
        let (stiffness, damping) = (along(&self.stiffness), along(&self.damping));
        if stiffness <= 0.0 {
            return 0.0;
        }
        let speed = force / (damping + h * stiffness);
        (0.5 * force * force / stiffness).min(0.5 * mass * speed * speed)
    }

    /// True if the force does not depend on the motion of the point.
    pub fn is_steady(&self) -> bool {
        self.stiffness == Mat3::ZERO && self.damping == Mat3::ZERO
    }

    /// The sum of stiffness and damping, each times its scale.
    pub fn matrix(&self, [stiffness, damping]: [f64; 2]) -> Mat3 {
        self.stiffness * stiffness + self.damping * damping
    }
}
