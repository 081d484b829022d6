//! Sums over the cells of every node.

use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Model};
use pliant_kernels::math::{LANES, Rows};

/// Nodes that one task sums for.
const NODES_PER_TASK: usize = 2048;

/// Number of nodes up to which one thread does all the work.
const FEW_NODES: usize = 2 * NODES_PER_TASK;

/// The slots of the values that cells contribute to each node.
///
/// Cells write one value for each of their nodes into separate slots; then every node sums its own values in the order
/// of the batches and their cells. Neither depends on the number of threads, and so the bits do not.
#[derive(Debug, Clone)]
pub(super) struct Gather {
    /// The slots of the values that each node sums.
    slots: Rows,
}

impl Gather {
    pub(super) fn new(model: &Model) -> Self {
        Self::of_slots(model.mesh().nodes.len(), |visit| for_each_slot(model, visit))
    }

    /// Built from calls of `visit(node, slot)` for all slots, in the order of the sums.
    pub(super) fn of_slots(
        node_count: usize,
        for_each_slot: impl Fn(&mut dyn FnMut(usize, u32)),
    ) -> Self {
        Self { slots: Rows::from_visits(node_count, for_each_slot) }
    }

    /// Writes the sum of the values of every node.
    pub(super) fn sum(&self, values: &[DVec3], sums: &mut [DVec3]) {
        self.each(sums, |sum, slots| {
            *sum = DVec3::ZERO;
            for slot in slots {
                *sum += values[*slot as usize];
            }
        });
    }

    /// Calls `work` for every node with its entry of `nodes` and its slots.
    pub(super) fn each<T: Send>(&self, nodes: &mut [T], work: impl Fn(&mut T, &[u32]) + Sync) {
        let task = |(task, nodes): (usize, &mut [T])| {
            let first = task * NODES_PER_TASK;
            for (node, slots) in nodes.iter_mut().zip(self.slots.rows_from(first)) {
                work(node, slots);
            }
        };
        if nodes.len() <= FEW_NODES {
            nodes.chunks_mut(NODES_PER_TASK).enumerate().for_each(task);
        } else {
            nodes.par_chunks_mut(NODES_PER_TASK).enumerate().for_each(task);
        }
    }
}

/// Number of values that the cells of a model contribute to their nodes.
pub(super) fn value_count(model: &Model) -> usize {
    model.batches().iter().map(batch_value_count).sum()
}

/// Number of values of a batch: one for each node of each cell, rounded up to whole packs.
pub(super) fn batch_value_count(batch: &Batch) -> usize {
    batch.pack_count() * LANES * batch.kind.node_count()
}

/// Calls `visit(node, slot)` for every node of every cell.
fn for_each_slot(model: &Model, visit: &mut dyn FnMut(usize, u32)) {
    let mut base = 0;
    for batch in model.batches() {
        let n = batch.kind.node_count();
        for cell in 0..batch.cells.len() {
            let (pack, lane) = (cell / LANES, cell % LANES);
            for (a, lanes) in batch.pack_nodes(pack).iter().enumerate() {
                visit(lanes[lane] as usize, (base + cell * n + a) as u32);
            }
        }
        base += batch_value_count(batch);
    }
}
