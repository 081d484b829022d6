//! The cells around every corner, and the slots for their forces.

use crate::body::Model;
use pliant_kernels::math::LANES;

/// A cell at a corner of the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ray {
    /// The corner, by its node.
    pub(super) node: u32,
    /// The cell.
    pub(super) cell: u32,
    /// Slot of the force of this cell on the corner: after all corners and lanes of packs before.
    pub(super) slot: u32,
    /// Slot of its stress: after all lanes of packs before.
    pub(super) lane: u32,
}

/// The cells around every corner, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Stars {
    rays: Vec<Ray>,
    /// Those of corner `k` are `rays[start[k]..start[k + 1]]`.
    start: Vec<u32>,
    /// The first slot of every batch, and the end of the last.
    pub(super) batches: Vec<usize>,
    /// The first lane of every batch, and the end of the last.
    pub(super) lanes: Vec<usize>,
}

impl Stars {
    /// The stars of a model.
    pub(super) fn of(model: &Model) -> Self {
        let mut stars = Self { batches: vec![0], lanes: vec![0], ..Self::default() };
        let (mut slot, mut first) = (0, 0);
        for batch in model.batches() {
            let corners = batch.kind.corner_count();
            for pack in 0..batch.pack_count() {
                let nodes = &batch.pack_nodes(pack)[..corners];
                for (corner, lanes) in nodes.iter().enumerate() {
                    for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
                        let slot = (slot + corner * LANES + lane) as u32;
                        let (node, lane) = (lanes[lane], (first + lane) as u32);
                        stars.rays.push(Ray { node, cell: *cell, slot, lane });
                    }
                }
                slot += corners * LANES;
                first += LANES;
            }
            stars.batches.push(slot);
            stars.lanes.push(first);
        }
        stars.rays.sort_unstable();
        let first = |k: &usize| *k == 0 || stars.rays[*k].node != stars.rays[*k - 1].node;
        stars.start = (0..stars.rays.len()).filter(first).map(|k| k as u32).collect();
        stars.start.push(stars.rays.len() as u32);
        stars
    }

    /// Number of corners.
    pub(super) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// The cells around a corner; never empty.
    pub(super) fn star(&self, corner: usize) -> &[Ray] {
        &self.rays[self.start[corner] as usize..self.start[corner + 1] as usize]
    }
}
