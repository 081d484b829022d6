//! What touches in a step, between bodies.

use glam::DVec3;

use crate::force::{PairForces, PairSide, PointForce};

use super::vertex_law::{Friction, Moving};
use super::{HalfSpace, VertexLaw};

/// Two points that meet, and the law between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The two bodies, by their places among those that are stepped together.
    pub members: [u32; 2],
    /// Unit normal out of the second, which pushes the first.
    pub normal: DVec3,
    /// Stiffness and damping between them.
    pub law: VertexLaw,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Speed below which friction sticks, in m/s.
    pub sticking: f64,
    /// Impulse on the first so far in this step, in N·s.
    pub impulse: DVec3,
}

/// All touches of bodies that are stepped together.
#[derive(Debug, Clone, Default)]
pub struct Touches {
    list: Vec<Touch>,
    /// Weights of side `s` of touch `i` are `start[2 i + s]..start[2 i + s + 1]`.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
}

impl Touches {
    /// Forgets all but keeps the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.start.clear();
        self.weights.clear();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub fn list(&self) -> &[Touch] {
        &self.list
    }

    /// Adds a touch of the points that follow these weights.
    pub fn push(&mut self, touch: Touch, sides: [&[(u32, f64)]; 2]) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.list.push(touch);
        for side in sides {
            self.weights.extend_from_slice(side);
            self.start.push(self.weights.len() as u32);
        }
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
        &self,
        h: f64,
        state: impl Fn(u32) -> (&'s [DVec3], &'s [DVec3]),
        pairs: &mut PairForces,
    ) {
        for (index, touch) in self.list.iter().enumerate() {
            let sides = self.sides(index);
            let points = sides.map(|side| {
                let (x, v) = state(side.member);
                (side.blend(x), side.blend(v))
            });
            pairs.push(sides, touch.force(points, h));
        }
    }

    /// Notes what force a touch exerted on its first point during `h`.
    pub fn note(&mut self, touch: usize, force: DVec3, h: f64) {
        self.list[touch].impulse += h * force;
    }
}

impl Touch {
    /// The force between two points with these positions and velocities.
    fn force(&self, [(p, v), (q, w)]: [(DVec3, DVec3); 2], h: f64) -> PointForce {
        let plane = HalfSpace { point: q, normal: self.normal };
        let moving = Moving { position: p, velocity: v - w, surface: DVec3::ZERO };
        let friction = Friction { coefficient: self.friction, sticking: self.sticking };
        self.law.force(&plane, &moving, friction, h)
    }
}
