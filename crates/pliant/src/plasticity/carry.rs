//! Plastic flow carried over to another model of the same cells.

use std::sync::Arc;

use pliant_kernels::lanes::{Batch, RestBatch, RestPoint, RestPoints};

use crate::body::{FlowState, FlowedModel, Model, ModelError, RestShape};
use pliant_kernels::material::Material;
use pliant_mesh::mesh::Fragment;

impl FlowState {
    /// The flow of a part of a body: `model` is the model of the part. `None` if the body has not flowed.
    pub(crate) fn of_part(whole: RestShape<'_>, part: &Fragment, model: &Model) -> Option<Self> {
        whole.flow()?;
        let mut flow = model.rest_shape().flow_state();
        for (batch, rest) in plastic_batches(model, &mut flow) {
            for old in whole.plastic_batches().filter(|old| old.kind == batch.kind) {
                take_rest(batch, rest, old, |cell| Some(part.cells[cell as usize]), |_, old| *old);
            }
        }
        Some(flow)
    }

    /// The flow of the cells with `wanted` of another model of the same mesh. They rest in the same shapes, so that the
    /// volume of a point changes by the ratio of the determinants of J⁻¹. Other cells rest in the shape of the mesh.
    fn carried(model: &Model, other: RestShape<'_>, wanted: impl Fn(u32) -> bool) -> Self {
        let mut flow = model.rest_shape().flow_state();
        for (batch, rest) in plastic_batches(model, &mut flow) {
            let like = |old: &RestBatch<'_>| {
                old.kind == batch.kind && old.point_count() == batch.point_count()
            };
            for old in other.plastic_batches().filter(like) {
                let cell = |cell: u32| wanted(cell).then_some(cell);
                take_rest(batch, rest, old, cell, |here, there| here.flowed_to(&there.inverse));
            }
        }
        flow
    }
}

impl FlowedModel {
    /// A model in which the cells with `wanted` rest in the same shapes as in another model of the same mesh, also cells
    /// that no longer flow.
    pub(crate) fn carried(
        model: Model,
        other: RestShape<'_>,
        wanted: impl Fn(u32) -> bool,
    ) -> Self {
        let flowed = other.flowed_cells().into_iter().filter(|cell| wanted(*cell));
        let model = model.with_settled(flowed.collect());
        let flow = FlowState::carried(&model, other, wanted);
        Self::normal(model, flow)
    }

    /// A model with a flow, or without one if all points rest in the shape of the mesh.
    pub(super) fn normal(model: Model, flow: FlowState) -> Self {
        let flow = (flow != model.rest_shape().flow_state()).then_some(flow);
        Self { model: Arc::new(model), flow }
    }

    /// The same with other materials, one for each of [`Model::materials`], in the same order. Cells keep the shapes that
    /// they have flowed to.
    ///
    /// # Errors
    ///
    /// As for [`Model::with_materials`].
    pub fn with_materials(&self, materials: Vec<Material>) -> Result<Self, ModelError> {
        let model = self.model.with_materials(materials)?;
        Ok(Self::carried(model, self.rest_shape(), |_| true))
    }
}

impl Model {
    /// The same materials with the rest shape and the plastic flow of another model of the same mesh: for a body that
    /// was rebuilt and continues the motion of the old one.
    ///
    /// # Errors
    ///
    /// As for [`Model::at_shape`].
    pub fn going_on_from(&self, other: RestShape<'_>) -> Result<FlowedModel, ModelError> {
        Ok(FlowedModel::carried(self.at_shape(&other.mesh().nodes)?, other, |_| true))
    }
}

/// The batches of a model that can flow, with their rest points in a flow that fits the model.
pub(super) fn plastic_batches<'a>(
    model: &'a Model,
    flow: &'a mut FlowState,
) -> impl Iterator<Item = (&'a Batch, &'a mut RestPoints)> {
    model.batches().iter().filter(|batch| batch.plastic).zip(flow.batches_mut())
}

/// Combines the rest data of cells with that of another batch, which has as many points: `other_cell` names the cell
/// there, or none to leave a cell as it is, and `take` combines the data of a point here and there.
fn take_rest(
    batch: &Batch,
    rest: &mut RestPoints,
    other: RestBatch<'_>,
    other_cell: impl Fn(u32) -> Option<u32>,
    take: impl Fn(&RestPoint, &RestPoint) -> RestPoint,
) {
    for place in batch.places() {
        let [pack, lane, point] = place;
        let cell = other_cell(batch.pack_cells(pack)[lane]);
        let Some([pack, lane]) = cell.and_then(|cell| other.find(cell)) else { continue };
        let here = RestBatch::new(batch, rest).rest_point(place);
        rest.set(place, &take(&here, &other.rest_point([pack, lane, point])));
    }
}
