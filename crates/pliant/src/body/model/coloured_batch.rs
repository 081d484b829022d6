//! Packed cells sorted by colour.

use std::ops::Range;

use pliant_kernels::lanes::{Batch, RestBatch, RestPoints};

use crate::body::model::model::Model;

/// A batch sorted by colour: cells of one colour share no node, so they can be processed at the same time.
#[derive(Debug, Clone)]
pub(crate) struct ColouredBatch {
    /// The cells. Every colour begins a new pack.
    pub batch: Batch,
    /// Their rest points.
    pub rest: RestPoints,
    /// The packs of each colour.
    pub colours: Vec<Range<usize>>,
}

impl Model {
    /// The batches of the model, each with its own colouring.
    pub(crate) fn coloured_batches(&self) -> Vec<ColouredBatch> {
        self.batches().iter().map(|batch| ColouredBatch::new(self, batch)).collect()
    }
}

impl ColouredBatch {
    fn new(model: &Model, batch: &Batch) -> Self {
        let colouring = model.mesh().colour_cells(batch.cells.iter().copied());
        let rest_cell = model.rest_cells(&batch.rule());
        let (mut coloured, mut colours) = (batch.emptied(), Vec::new());
        let mut rest = RestPoints::new(&coloured);
        for cells in &colouring.cells {
            let first = coloured.pack_count();
            coloured.push_run(&mut rest, cells, &rest_cell);
            colours.push(first..coloured.pack_count());
        }
        Self { batch: coloured, rest, colours }
    }

    /// The cells with their rest points.
    pub(crate) fn rest_batch(&self) -> RestBatch<'_> {
        RestBatch::new(&self.batch, &self.rest)
    }

    /// Copies the rest points of the batch that it was made from, after plastic flow.
    pub(crate) fn follow_flow(&mut self, from: RestBatch<'_>) {
        for [pack, lane, point] in self.batch.places() {
            let cell = self.batch.pack_cells(pack)[lane];
            if let Some([there, its_lane]) = from.find(cell) {
                self.rest.set([pack, lane, point], &from.rest_point([there, its_lane, point]));
            }
        }
    }
}
