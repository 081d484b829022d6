//! Contacts between bodies in a step, and their forces.

use glam::DVec3;

use crate::force::{PairForces, PairSide, PointForce};

use super::half_space::HalfSpace;
use super::overlap_recovery::OverlapRecovery;
use super::vertex_law::{PointMotion, VertexLaw};

/// The friction memory of a contact between bodies, from one step to the next.
///
/// Contact with obstacles keeps its memory in another form, [`FrictionAnchor`](crate::contact::FrictionAnchor): the anchor is a
/// point of the obstacle, in its frame, and follows its motion. Here both sides deform, so the offset itself is kept and grows by the
/// change of the distance between the points. One form for both would round differently.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionMemory {
    /// The first point, relative to its anchor on the second body, along the surface, in m.
    pub offset: DVec3,
    /// Velocity of the first point relative to the second at the start of the last substep, in m/s.
    pub slip: DVec3,
    /// Unit normal out of the second body.
    pub normal: DVec3,
    /// Depth of the overlap that is ignored ([`OverlapRecovery`]), in m.
    pub ignored_depth: f64,
}

/// Two points in contact, and the law between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// The two bodies, by their indices among the bodies that are stepped together.
    pub members: [u32; 2],
    /// Unit normal out of the second body; the normal force on the first acts along it.
    pub normal: DVec3,
    /// Stiffness and damping of the contact.
    pub law: VertexLaw,
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// The distance at which the points are kept apart, in m.
    pub thickness: f64,
    /// Depth of their overlap that is ignored at the start of the step, in m.
    pub ignored_depth: f64,
    /// The decrease of the ignored depth.
    pub recovery: OverlapRecovery,
    /// The friction memory; `None` for a new contact.
    pub memory: Option<FrictionMemory>,
    /// From the second point to the first when the memory was written, in m.
    pub span: DVec3,
    /// The second point, if its motion is prescribed; it then has no nodes here.
    pub prescribed: Option<PrescribedPoint>,
    /// Impulse on the first body so far in this step, in N·s.
    pub impulse: DVec3,
}

/// A point with prescribed motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrescribedPoint {
    /// Its position, in m.
    pub point: DVec3,
    /// Its velocity, in m/s.
    pub velocity: DVec3,
}

/// All contacts of bodies that are stepped together.
#[derive(Debug, Clone, Default)]
pub struct BodyContacts {
    list: Vec<BodyContact>,
    /// Weights of side `s` of contact `i` are `start[2 i + s]..start[2 i + s + 1]`.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Time since the start of the step, in s.
    elapsed: f64,
}

impl BodyContacts {
    /// Restarts the time of the step, for bodies that have not been stepped yet.
    pub fn restart(&mut self) {
        self.elapsed = 0.0;
    }

    /// Removes all contacts and keeps the buffers.
    pub fn clear(&mut self) {
        self.elapsed = 0.0;
        self.list.clear();
        self.start.clear();
        self.weights.clear();
    }

    /// True if there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All contacts.
    pub fn list(&self) -> &[BodyContact] {
        &self.list
    }

    /// Adds a contact between the points with these weights of nodes.
    pub fn push(
        &mut self,
        touch: BodyContact,
        first: impl IntoIterator<Item = (u32, f64)>,
        second: impl IntoIterator<Item = (u32, f64)>,
    ) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.list.push(touch);
        self.weights.extend(first);
        self.start.push(self.weights.len() as u32);
        self.weights.extend(second);
        self.start.push(self.weights.len() as u32);
    }

    fn side(&self, touch: usize, side: usize) -> PairSide<'_> {
        let at = 2 * touch + side;
        let range = self.start[at] as usize..self.start[at + 1] as usize;
        PairSide { member: self.list[touch].members[side], weights: &self.weights[range] }
    }

    /// The two points of a contact.
    pub fn sides(&self, touch: usize) -> [PairSide<'_>; 2] {
        [self.side(touch, 0), self.side(touch, 1)]
    }

    /// Adds the forces of all contacts in a substep of `h` to `pairs`, in their order. `state` returns positions and velocities of
    /// a member.
    pub fn push_forces<'s>(
        &mut self,
        h: f64,
        state: impl Fn(u32) -> (&'s [DVec3], &'s [DVec3]),
        pairs: &mut PairForces,
    ) {
        self.elapsed += h;
        for index in 0..self.list.len() {
            let sides = self.sides(index);
            let [first, second] = sides.map(|side| {
                let (x, v) = state(side.member);
                PrescribedPoint { point: side.blend(x), velocity: side.blend(v) }
            });
            let mut touch = self.list[index];
            let force = touch.force(first, second, self.elapsed, h);
            pairs.push_one_sided(sides, force, touch.normal);
            self.list[index] = touch;
        }
    }

    /// Records the force of a contact on its first point during `h`.
    pub fn note(&mut self, touch: usize, force: DVec3, h: f64) {
        self.list[touch].impulse += h * force;
    }

    /// The friction memory of a contact at the end of a step, with nodes of the members at `x`.
    pub fn friction_memory<'s>(
        &self,
        touch: usize,
        x: impl Fn(u32) -> &'s [DVec3],
    ) -> Option<FrictionMemory> {
        let [p, q] = self.sides(touch).map(|side| side.blend(x(side.member)));
        let BodyContact { memory, span, prescribed, .. } = self.list[touch];
        let span_now = p - prescribed.map_or(q, |prescribed| prescribed.point);
        memory.map(|held| FrictionMemory { offset: held.offset + (span_now - span), ..held })
    }
}

impl BodyContact {
    /// The force between two moving points, in a substep that ends `elapsed` seconds after the start of the step; updates the
    /// friction memory.
    fn force(
        &mut self,
        first: PrescribedPoint,
        second: PrescribedPoint,
        elapsed: f64,
        h: f64,
    ) -> PointForce {
        let other = self.prescribed.unwrap_or(second);
        let span = first.point - other.point;
        // A prescribed point acts from its position at the end of the substep, since the force is implicit.
        let moves = if self.prescribed.is_some() { h * other.velocity } else { DVec3::ZERO };
        let ignored_depth = self.recovery.remaining(self.ignored_depth, elapsed);
        let point = other.point + moves + (self.thickness - ignored_depth) * self.normal;
        let plane = HalfSpace { point, normal: self.normal };
        let (velocity, surface) = match self.prescribed {
            Some(prescribed) => (first.velocity, prescribed.velocity),
            None => (first.velocity - second.velocity, DVec3::ZERO),
        };
        let motion = PointMotion {
            position: first.point,
            velocity,
            surface,
            offset: self.memory.map(|memory| memory.offset + (span - self.span)),
            before: self.memory.map(|memory| memory.slip),
        };
        let (force, result) = self.law.force(&plane, &motion, self.friction, h);
        let (offset, slip, normal) = (result.offset, result.velocity, self.normal);
        self.memory = Some(FrictionMemory { offset, slip, normal, ignored_depth });
        self.span = span;
        if let Some(prescribed) = &mut self.prescribed {
            prescribed.point += moves;
        }
        force
    }
}
