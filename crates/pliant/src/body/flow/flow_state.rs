//! The plastic flow of a body.

use std::sync::Arc;

use pliant_kernels::lanes::RestPoints;

/// The rest shapes that the points of a body have flowed to: the rest points of every batch that can flow, in the order of
/// the batches. Fᵖ follows from them and the mesh.
///
/// It fits models with the same plastic cells. Copies share memory until one of them flows.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowState {
    batches: Arc<[RestPoints]>,
}

impl FlowState {
    /// These rest points of the plastic batches of a model.
    pub(in crate::body) fn new(batches: Vec<RestPoints>) -> Self {
        Self { batches: batches.into() }
    }

    /// The rest points of every plastic batch.
    pub(crate) fn batches(&self) -> &[RestPoints] {
        &self.batches
    }

    /// The rest points of every plastic batch, to be changed.
    pub(crate) fn batches_mut(&mut self) -> &mut [RestPoints] {
        Arc::make_mut(&mut self.batches)
    }
}
