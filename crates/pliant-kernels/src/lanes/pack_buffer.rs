//! Buffers for the nodes, forces and energies of one pack.

use glam::DVec3;

use super::gather::gather_node;
use crate::math::{LANES, Lanes, Pack, Vec3};

/// Input and output of a pack of cells with up to `N` nodes.
#[derive(Debug, Clone)]
pub(crate) struct PackBuffer<const N: usize> {
    pub(crate) x: [[Pack; 3]; N],
    forces: [[Pack; 3]; N],
    /// Energy of each cell, in J.
    pub(crate) energy: Pack,
}

impl<const N: usize> PackBuffer<N> {
    pub(crate) fn new() -> Self {
        let zero = [[[0.0; LANES]; 3]; N];
        Self { x: zero, forces: zero, energy: [0.0; LANES] }
    }

    /// Reads the positions of the nodes of every lane.
    #[inline(always)]
    pub(crate) fn gather(&mut self, nodes: &[[u32; LANES]], x: &[DVec3]) {
        for (slot, nodes) in nodes.iter().enumerate() {
            self.gather_slot(slot, nodes, x);
        }
    }

    /// Reads the position of one node of every lane.
    #[inline(always)]
    pub(crate) fn gather_slot(&mut self, slot: usize, nodes: &[u32; LANES], x: &[DVec3]) {
        gather_node(nodes, x, &mut self.x[slot]);
    }

    /// Stores the forces of the lanes.
    #[inline(always)]
    pub(crate) fn store_forces<L: Lanes>(&mut self, lanes: L, forces: &[Vec3<L::Lane>]) {
        for (slot, force) in forces.iter().enumerate() {
            self.store_force(lanes, slot, *force);
        }
    }

    /// Stores the force on one node of the lanes.
    #[inline(always)]
    pub(crate) fn store_force<L: Lanes>(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>) {
        for (component, pack) in force.0.into_iter().zip(&mut self.forces[slot]) {
            lanes.store(component, pack);
        }
    }

    /// Adds to the stored force on one node of the lanes.
    #[inline(always)]
    pub(crate) fn add_force<L: Lanes>(&mut self, lanes: L, slot: usize, force: Vec3<L::Lane>) {
        for (component, pack) in force.0.into_iter().zip(&mut self.forces[slot]) {
            lanes.store(lanes.load(pack) + component, pack);
        }
    }

    /// Adds the forces on one node of the first lanes to `sums` at these indices.
    #[inline(always)]
    pub(crate) fn add_slot(&self, slot: usize, places: &[u16], sums: &mut [DVec3]) {
        let [xs, ys, zs] = &self.forces[slot];
        for (lane, place) in places.iter().enumerate() {
            sums[*place as usize] += DVec3::new(xs[lane], ys[lane], zs[lane]);
        }
    }

    /// Adds the forces of one lane to `sums` at these indices.
    #[inline(always)]
    pub(crate) fn add_lane(&self, lane: usize, places: &[u16], sums: &mut [DVec3]) {
        for (slot, place) in self.forces.iter().zip(places) {
            sums[*place as usize] += DVec3::new(slot[0][lane], slot[1][lane], slot[2][lane]);
        }
    }
}
