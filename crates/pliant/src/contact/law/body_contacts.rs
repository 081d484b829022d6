//! What touches in a step, between bodies.

use glam::DVec3;

use crate::force::{PairForces, PairSide, PointForce};

use super::half_space::HalfSpace;
use super::overlap_recovery::OverlapRecovery;
use super::vertex_law::{PointMotion, VertexLaw};

/// What friction remembers of two points that touch, from one step to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionMemory {
    /// The first point, seen from its anchor on the second body, along the surface, in m.
    pub offset: DVec3,
    /// Velocity of the first over the second at the begin of the last substep, in m/s.
    pub slip: DVec3,
    /// Unit normal out of the second.
    pub normal: DVec3,
    /// How much of the overlap does not count ([`OverlapRecovery`]), in m.
    pub ignored_depth: f64,
}

/// Two points that meet, and the law between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// The two bodies, by their places among those that are stepped together.
    pub members: [u32; 2],
    /// Unit normal out of the second, which pushes the first.
    pub normal: DVec3,
    /// Stiffness and damping between them.
    pub law: VertexLaw,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// How far apart the points are kept, in m.
    pub thickness: f64,
    /// How much of their overlap does not count at the begin of the step, in m.
    pub ignored_depth: f64,
    /// How that falls.
    pub recovery: OverlapRecovery,
    /// What friction remembers; none for a new touch.
    pub memory: Option<FrictionMemory>,
    /// From the second point to the first when that was noted, in m.
    pub span: DVec3,
    /// Where the second point is, if it belongs to something that moves as prescribed: it then has no
    /// nodes here.
    pub prescribed: Option<PrescribedPoint>,
    /// Impulse on the first so far in this step, in N·s.
    pub impulse: DVec3,
}

/// A point that moves as prescribed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrescribedPoint {
    /// Where it is, in m.
    pub point: DVec3,
    /// Its velocity, in m/s.
    pub velocity: DVec3,
}

/// All touches of bodies that are stepped together.
#[derive(Debug, Clone, Default)]
pub struct BodyContacts {
    list: Vec<BodyContact>,
    /// Weights of side `s` of touch `i` are `start[2 i + s]..start[2 i + s + 1]`.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// Time since the begin of the step, in s.
    elapsed: f64,
}

impl BodyContacts {
    /// Begins the step anew, for others than those that have gone through it.
    pub fn restart(&mut self) {
        self.elapsed = 0.0;
    }

    /// Forgets all but keeps the memory.
    pub fn clear(&mut self) {
        self.elapsed = 0.0;
        self.list.clear();
        self.start.clear();
        self.weights.clear();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub fn list(&self) -> &[BodyContact] {
        &self.list
    }

    /// Adds a touch of the points that follow these weights.
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

    /// The two points of a touch.
    pub fn sides(&self, touch: usize) -> [PairSide<'_>; 2] {
        [self.side(touch, 0), self.side(touch, 1)]
    }

    /// Adds the forces of all touches in a substep of `h` to `pairs`, in their order. `state` tells
    /// positions and velocities of a member.
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

    /// Notes what force a touch exerted on its first point during `h`.
    pub fn note(&mut self, touch: usize, force: DVec3, h: f64) {
        self.list[touch].impulse += h * force;
    }

    /// What friction remembers of a touch whose points have ended up where `x` of the members tells.
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
    /// The force between two points as they move, in a substep that ends `elapsed` after the begin of the step; remembers
    /// how friction holds them.
    fn force(
        &mut self,
        first: PrescribedPoint,
        second: PrescribedPoint,
        elapsed: f64,
        h: f64,
    ) -> PointForce {
        let other = self.prescribed.unwrap_or(second);
        let span = first.point - other.point;
        // What moves as prescribed is met where it will be at the end of the substep.
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
