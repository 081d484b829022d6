//! All contacts between bodies in a step.

use glam::DVec3;

use crate::force::{PairForces, PairSide};

use super::body_contact::{BodyContact, MovingPoint};
use super::friction_memory::FrictionMemory;

/// All contacts of bodies that are stepped together.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyContacts {
    list: Vec<BodyContact>,
    /// Weights of side `s` of contact `i` are `start[2 i + s]..start[2 i + s + 1]`.
    start: Vec<u32>,
    weights: Vec<(u32, f64)>,
    /// The contacts at the start of the step.
    at_start: Vec<BodyContact>,
    /// Time since the start of the step, in s.
    elapsed: f64,
}

impl BodyContacts {
    /// Restarts the time of the step, for bodies that have not been stepped yet.
    pub(crate) fn restart(&mut self) {
        self.elapsed = 0.0;
    }

    /// Begins a step, to which [`Self::take_back`] returns.
    pub(crate) fn begin(&mut self) {
        self.at_start.clone_from(&self.list);
    }

    /// Returns to the start of the step.
    pub(crate) fn take_back(&mut self) {
        self.list.copy_from_slice(&self.at_start);
        self.elapsed = 0.0;
    }

    /// Removes all contacts and keeps the buffers.
    pub(crate) fn clear(&mut self) {
        self.elapsed = 0.0;
        self.list.clear();
        self.start.clear();
        self.weights.clear();
    }

    /// True if there are no contacts.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All contacts.
    pub(crate) fn list(&self) -> &[BodyContact] {
        &self.list
    }

    /// Adds a contact between the points with these weights of nodes.
    pub(crate) fn push(
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
    pub(crate) fn sides(&self, touch: usize) -> [PairSide<'_>; 2] {
        [self.side(touch, 0), self.side(touch, 1)]
    }

    /// Adds the forces of all contacts in a substep of `h` to `pairs`, in their order. `state` returns positions and velocities of
    /// a member.
    pub(crate) fn push_forces<'s>(
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
                MovingPoint { point: side.blend(x), velocity: side.blend(v) }
            });
            let mut touch = self.list[index];
            let force = touch.force(first, second, self.elapsed, h);
            pairs.push_one_sided(sides, force, touch.normal, touch.starts_pushing());
            self.list[index] = touch;
        }
    }

    /// Records the force of a contact on its first point during `h`.
    pub(crate) fn note(&mut self, touch: usize, force: DVec3, h: f64) {
        let touch = &mut self.list[touch];
        touch.impulse += h * force;
        if let Some(memory) = &mut touch.memory {
            memory.pushed = force != DVec3::ZERO;
        }
    }

    /// The friction memory of a contact at the end of a step, with nodes of the members at `x`.
    pub(crate) fn friction_memory<'s>(
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
