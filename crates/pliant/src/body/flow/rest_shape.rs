//! The rest shape of a body, point by point.

use std::ops::Deref;

use pliant_kernels::lanes::{RestBatch, RestPoint};

use crate::body::flow::flow_state::FlowState;
use crate::body::model::model::Model;

/// A model, and the plastic flow of a body made of it: together they give the rest shape of every quadrature point, and so
/// stress and stiffness. Everything constant is that of the model.
#[derive(Debug, Clone, Copy)]
pub struct RestShape<'a> {
    model: &'a Model,
    flow: Option<&'a FlowState>,
}

impl<'a> RestShape<'a> {
    /// The rest shape of a model after this flow; that of its mesh if there was none.
    ///
    /// # Panics
    /// When it is read, if the flow is that of a model with other plastic cells.
    pub fn new(model: &'a Model, flow: Option<&'a FlowState>) -> Self {
        Self { model, flow }
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The plastic flow; `None` before the first one.
    pub fn flow(&self) -> Option<&'a FlowState> {
        self.flow
    }

    /// Cells packed for the kernels, with their present rest points.
    #[doc(hidden)]
    pub fn rest_batches(&self) -> impl Iterator<Item = RestBatch<'a>> + use<'a> {
        let mut flowed = self.flow.map_or(&[][..], FlowState::batches).iter();
        self.model.rest_batches().zip(self.model.batches()).map(move |(first, batch)| {
            let own = if batch.plastic { flowed.next() } else { None };
            own.map_or(first, |rest| RestBatch::new(batch, rest))
        })
    }

    /// Batches of cells that may flow.
    pub(crate) fn plastic_batches(&self) -> impl Iterator<Item = RestBatch<'a>> + use<'a> {
        self.rest_batches().filter(|batch| batch.plastic)
    }

    /// Rest data of all points that may flow, in the order of batches, packs, cells and points.
    pub(crate) fn plastic_points(&self) -> impl Iterator<Item = RestPoint> + use<'a> {
        let batches = self.plastic_batches();
        batches.flat_map(|batch| batch.batch().places().map(move |place| batch.rest_point(place)))
    }

    /// The plastic flow as a state of its own, also before the first one.
    pub(crate) fn flow_state(&self) -> FlowState {
        let first = || self.model.batches.iter().zip(&self.model.rest);
        let first = || first().filter(|(batch, _)| batch.plastic).map(|(_, rest)| rest.clone());
        self.flow.cloned().unwrap_or_else(|| FlowState::new(first().collect()))
    }
}

impl Deref for RestShape<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}

impl Model {
    /// The rest shape before any plastic flow: that of the mesh.
    pub fn rest_shape(&self) -> RestShape<'_> {
        RestShape::new(self, None)
    }
}
