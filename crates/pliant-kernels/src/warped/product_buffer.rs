//! What a product with quadratic cells reads from the nodes of a pack, and where it leaves its results, in double or single precision.

use fearless_simd::Simd;
use glam::DVec3;

use crate::lanes::{PackBuffer, gather_one};
use crate::math::{LANES, Lanes, SingleLane, SingleLanes, SingleNode, Vec3};

/// Input and output of a product with a pack of quadratic cells.
pub(super) trait ProductBuffer<L: Lanes> {
    /// Reads the displacements of one node of every lane.
    fn read(&self, lanes: L, nodes: &[u32; LANES]) -> Vec3<L::Lane>;

    /// Stores the result for a node.
    fn store(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>);

    /// Adds to the stored result.
    fn add(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>);
}

/// In double precision.
pub(super) struct DoubleBuffer<'a> {
    /// The displacements of all nodes.
    pub(super) d: &'a [DVec3],
    pub(super) forces: &'a mut PackBuffer<10>,
}

impl<L: Lanes> ProductBuffer<L> for DoubleBuffer<'_> {
    #[inline(always)]
    fn read(&self, lanes: L, nodes: &[u32; LANES]) -> Vec3<L::Lane> {
        gather_one(lanes, nodes, self.d)
    }

    #[inline(always)]
    fn store(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>) {
        self.forces.store_force(lanes, slot, force);
    }

    #[inline(always)]
    fn add(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>) {
        self.forces.add_force(lanes, slot, force);
    }
}

/// In single precision.
pub(super) struct SingleBuffer<'a> {
    d: &'a [SingleNode],
    /// One row for every lane.
    forces: [[SingleNode; LANES]; 10],
}

impl<'a> SingleBuffer<'a> {
    #[inline(always)]
    pub(super) fn new(d: &'a [SingleNode]) -> Self {
        Self { d, forces: [[SingleNode::ZERO; LANES]; 10] }
    }

    /// Adds the results of one lane to `sums` at the indices of its nodes.
    #[inline(always)]
    pub(super) fn add_lane(&self, lane: usize, places: &[u16], sums: &mut [SingleNode]) {
        for (place, forces) in places.iter().zip(&self.forces) {
            sums[*place as usize] += forces[lane];
        }
    }

    /// Adds the results for one node of the first lanes to `sums` at these indices.
    #[inline(always)]
    pub(super) fn add_slot(&self, slot: usize, places: &[u16], sums: &mut [SingleNode]) {
        for (place, force) in places.iter().zip(&self.forces[slot]) {
            sums[*place as usize] += *force;
        }
    }
}

impl<S: Simd> ProductBuffer<SingleLanes<S>> for SingleBuffer<'_> {
    #[inline(always)]
    fn read(&self, lanes: SingleLanes<S>, nodes: &[u32; LANES]) -> Vec3<SingleLane<S>> {
        let row = |lane: usize| &self.d[nodes[lane] as usize];
        Vec3(lanes.load_nodes([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]))
    }

    #[inline(always)]
    fn store(&mut self, lanes: SingleLanes<S>, slot: usize, force: Vec3<SingleLane<S>>) {
        lanes.store_nodes(force.0, &mut self.forces[slot]);
    }

    #[inline(always)]
    fn add(&mut self, lanes: SingleLanes<S>, slot: usize, force: Vec3<SingleLane<S>>) {
        let mut rows = [SingleNode::ZERO; LANES];
        lanes.store_nodes(force.0, &mut rows);
        for (to, from) in self.forces[slot].iter_mut().zip(&rows) {
            *to += *from;
        }
    }
}
