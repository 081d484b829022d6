//! Forces between points of two bodies.

use glam::DVec3;

use pliant_kernels::math::Mat3;

use super::point_forces::PointForce;

/// A point of one of several bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairSide<'a> {
    /// The index of the body in the joint solve.
    pub member: u32,
    /// Nodes and weights of the point.
    pub weights: &'a [(u32, f64)],
}

/// Forces between pairs of points, collected in every step. The two points of a pair get opposite forces. From the
/// present positions,
///
/// ```text
/// f = force − stiffness (Δp₀ − Δp₁) − damping (ṗ₀ − ṗ₁)        on p₀,   −f on p₁
/// ```
///
/// Linear momentum is conserved. Angular momentum is conserved if f is along the line between the points, or if the
/// points coincide.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PairForces {
    forces: Vec<PointForce>,
    members: Vec<[u32; 2]>,
    /// Weights of side `s` of pair `i` are `start[2 i + s]..start[2 i + s + 1]`; the first is 0,
    /// missing while empty.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Directions along which the first point of a contact is pushed; `None` for forces that also pull.
    pushes: Vec<Option<DVec3>>,
    /// True for contacts that are expected to push, and for all other forces.
    starts: Vec<bool>,
}

/// A zero force.
const RELEASED: PointForce =
    PointForce { force: DVec3::ZERO, stiffness: Mat3::ZERO, damping: Mat3::ZERO };

impl PairForces {
    /// Removes all pairs but keeps the allocation.
    pub(crate) fn clear(&mut self) {
        self.forces.clear();
        self.members.clear();
        self.start.clear();
        self.weights.clear();
        self.pushes.clear();
        self.starts.clear();
    }

    /// Adds a force between two points: `force` on the first, the opposite on the second.
    pub(crate) fn push(&mut self, [first, second]: [PairSide<'_>; 2], force: PointForce) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.forces.push(force);
        self.pushes.push(None);
        self.starts.push(true);
        self.members.push([first.member, second.member]);
        for side in [first, second] {
            self.weights.extend_from_slice(side.weights);
            self.start.push(self.weights.len() as u32);
        }
    }

    /// Adds a contact: a force that pushes the first point along a unit vector and never pulls it. `starts` is true if it is expected to
    /// push.
    pub(crate) fn push_one_sided(
        &mut self,
        sides: [PairSide<'_>; 2],
        force: PointForce,
        along: DVec3,
        starts: bool,
    ) {
        self.push(sides, force);
        if let Some(last) = self.pushes.last_mut() {
            *last = Some(along);
        }
        if let Some(last) = self.starts.last_mut() {
            *last = starts;
        }
    }

    /// The energy that all contacts can give back from the present positions in steps of `h`, in J; `mass` is that of a member, in kg.
    pub(crate) fn energy_in_contacts(&self, h: f64, mass: impl Fn(u32) -> f64) -> f64 {
        let contacts = self.iter().zip(&self.pushes).filter_map(|((force, sides), along)| {
            along.map(|along| force.energy_along(along, reduced_mass(sides, &mass), h))
        });
        contacts.sum()
    }

    /// The same after `h` seconds with these velocities of the nodes of each member.
    pub(crate) fn energy_after<'v>(
        &self,
        h: f64,
        v: impl Fn(u32) -> &'v [DVec3],
        mass: impl Fn(u32) -> f64,
    ) -> f64 {
        let energies = self.iter().zip(&self.pushes).filter_map(|((force, sides), along)| {
            let [first, second] = sides.map(|side| side.blend(v(side.member)));
            let moved = force.moved(h * (first - second));
            along.map(|along| moved.energy_along(along, reduced_mass(sides, &mass), h))
        });
        energies.sum()
    }

    /// True if a force on the first point of a contact would pull it.
    pub(crate) fn pulls(&self, pair: usize, force: DVec3) -> bool {
        self.pushes[pair].is_some_and(|along| along.dot(force) < 0.0)
    }

    /// True if a solve starts with the force of a pair.
    pub(crate) fn starts(&self, pair: usize) -> bool {
        self.starts[pair]
    }

    /// Sets the force of a pair to zero.
    pub(crate) fn release(&mut self, pair: usize) {
        (self.forces[pair], self.pushes[pair]) = (RELEASED, None);
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.forces.len()
    }

    /// One side of a pair.
    pub(crate) fn side(&self, pair: usize, side: usize) -> PairSide<'_> {
        let range = self.start[2 * pair + side] as usize..self.start[2 * pair + side + 1] as usize;
        PairSide { member: self.members[pair][side], weights: &self.weights[range] }
    }

    /// The force of a pair.
    pub(crate) fn force(&self, pair: usize) -> &PointForce {
        &self.forces[pair]
    }

    /// Every force with its two sides.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PointForce, [PairSide<'_>; 2])> {
        let sides = |pair: usize| [self.side(pair, 0), self.side(pair, 1)];
        self.forces.iter().enumerate().map(move |(pair, force)| (force, sides(pair)))
    }
}

impl PairSide<'_> {
    /// Σ w q: a node quantity interpolated at the point.
    pub(crate) fn blend(&self, nodes: &[DVec3]) -> DVec3 {
        self.weights.iter().map(|(node, weight)| *weight * nodes[*node as usize]).sum()
    }
}

/// The mass that the relative motion of two bodies has, in kg; that of the first, if the motion of the second is prescribed.
fn reduced_mass([first, second]: [PairSide<'_>; 2], mass: impl Fn(u32) -> f64) -> f64 {
    let other = if second.weights.is_empty() { 0.0 } else { 1.0 / mass(second.member) };
    1.0 / (1.0 / mass(first.member) + other)
}
