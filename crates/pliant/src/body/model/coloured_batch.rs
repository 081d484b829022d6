//! Packed cells sorted by colour.

use std::ops::Range;

use pliant_kernels::lanes::Batch;

use crate::body::model::model::Model;

/// A batch sorted by colour: cells of one colour share no node, so they can be processed at the same time.
#[derive(Debug, Clone)]
pub(crate) struct ColouredBatch {
    /// The cells. Every colour begins a new pack.
    pub batch: Batch,
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
        for cells in &colouring.cells {
            let first = coloured.pack_count();
            coloured.push_run(cells, &rest_cell);
            colours.push(first..coloured.pack_count());
        }
        Self { batch: coloured, colours }
    }

    /// Copies the plastic rest shapes of the batch that it was made from.
    pub(crate) fn follow_flow(&mut self, batch: &Batch) {
        self.batch.follow_flow(batch);
    }
}
