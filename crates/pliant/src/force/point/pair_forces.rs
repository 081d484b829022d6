//! Forces between points of two bodies.

use glam::DVec3;

use crate::math::Mat3;

use super::point_forces::PointForce;

/// A point of one of several bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSide<'a> {
    /// The body, by its place among those that are stepped together.
    pub member: u32,
    /// Nodes and weights of the point.
    pub weights: &'a [(u32, f64)],
}

/// Forces between pairs of points, gathered anew in every step: what one point feels, the other
/// feels the opposite of. From where the points are now,
///
/// ```text
/// f = force − stiffness (Δp₀ − Δp₁) − damping (ṗ₀ − ṗ₁)        on p₀,   −f on p₁
/// ```
///
/// Linear and angular momentum of the two are kept where f lies on the line between the points; where
/// they touch, that is any direction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairForces {
    forces: Vec<PointForce>,
    members: Vec<[u32; 2]>,
    /// Weights of side `s` of pair `i` are `start[2 i + s]..start[2 i + s + 1]`; the first is 0,
    /// missing while empty.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Directions in which the first point is pushed and never pulled; none of those that are both.
    pushes: Vec<Option<DVec3>>,
}

/// No force at all.
const RELEASED: PointForce =
    PointForce { force: DVec3::ZERO, stiffness: Mat3::ZERO, damping: Mat3::ZERO };

impl PairForces {
    /// Forgets all pairs but keeps their memory.
    pub fn clear(&mut self) {
        self.forces.clear();
        self.members.clear();
        self.start.clear();
        self.weights.clear();
        self.pushes.clear();
    }

    /// Adds a force between two points; on the first as it is, on the second its opposite.
    pub fn push(&mut self, [first, second]: [PairSide<'_>; 2], force: PointForce) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.forces.push(force);
        self.pushes.push(None);
        self.members.push([first.member, second.member]);
        for side in [first, second] {
            self.weights.extend_from_slice(side.weights);
            self.start.push(self.weights.len() as u32);
        }
    }

    /// Adds a force that pushes the first point along a unit vector and never pulls it: a contact.
    pub fn push_one_sided(&mut self, sides: [PairSide<'_>; 2], force: PointForce, along: DVec3) {
        self.push(sides, force);
        if let Some(last) = self.pushes.last_mut() {
            *last = Some(along);
        }
    }

    /// Whether a force, on the first point of a pair, pulls where it may only push.
    pub fn pulls(&self, pair: usize, force: DVec3) -> bool {
        self.pushes[pair].is_some_and(|along| along.dot(force) < 0.0)
    }

    /// Lets go of a pair: it is still there, but without a force.
    pub fn release(&mut self, pair: usize) {
        (self.forces[pair], self.pushes[pair]) = (RELEASED, None);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.forces.len()
    }

    /// One side of a pair.
    pub fn side(&self, pair: usize, side: usize) -> PairSide<'_> {
        let range = self.start[2 * pair + side] as usize..self.start[2 * pair + side + 1] as usize;
        PairSide { member: self.members[pair][side], weights: &self.weights[range] }
    }

    /// The force of a pair.
    pub fn force(&self, pair: usize) -> &PointForce {
        &self.forces[pair]
    }

    /// Every force with its two sides.
    pub fn iter(&self) -> impl Iterator<Item = (&PointForce, [PairSide<'_>; 2])> {
        let sides = |pair: usize| [self.side(pair, 0), self.side(pair, 1)];
        self.forces.iter().enumerate().map(move |(pair, force)| (force, sides(pair)))
    }
}

impl PairSide<'_> {
    /// Σ w q of a value at every node of the body.
    pub fn blend(&self, nodes: &[DVec3]) -> DVec3 {
        self.weights.iter().map(|(node, weight)| *weight * nodes[*node as usize]).sum()
    }
}
