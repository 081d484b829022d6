//! Plastic flow of a body, cell by cell.

use pliant_kernels::lanes::RestBatch;

use crate::body::{FlowedModel, Model, ModelError, RestShape};
use pliant_kernels::math::Mat3;

use super::carry::plastic_batches;

/// ‖Fᵖ⁻¹ − I‖² up to which a point has not flowed: the difference is rounding.
const ROUNDING_SQUARED: f64 = 1e-26;

/// The plastic flow of a cell: ∂ξ/∂X at its quadrature points.
#[derive(Debug, Clone, PartialEq)]
pub struct CellFlow {
    /// The cell.
    pub cell: u32,
    /// ∂ξ/∂X of each point, for the shape that it rests in.
    pub points: Vec<Mat3>,
}

impl RestShape<'_> {
    /// Cells with a point that rests in another shape than that of the mesh, in ascending order.
    pub(crate) fn flowed_cells(&self) -> Vec<u32> {
        self.cell_flow().into_iter().map(|flow| flow.cell).collect()
    }

    /// True if some point rests in another shape than that of the mesh.
    pub(crate) fn has_flowed(&self) -> bool {
        !self.flowed_cells().is_empty()
    }

    /// The flow of all cells that rest in another shape than that of the mesh, in ascending order: for programs that
    /// store it apart from snapshots, which fit only worlds that are built alike.
    #[doc(hidden)]
    pub fn cell_flow(&self) -> Vec<CellFlow> {
        let mut flows = Vec::new();
        for batch in self.plastic_batches().filter(|_| self.flow().is_some()) {
            for cell in &batch.cells {
                let points = self.points_of(&batch, *cell);
                flows.extend(points.map(|points| CellFlow { cell: *cell, points }));
            }
        }
        flows.sort_unstable_by_key(|flow| flow.cell);
        flows
    }

    /// ∂ξ/∂X of the points of a cell; `None` if all are those of the mesh.
    fn points_of(&self, batch: &RestBatch<'_>, cell: u32) -> Option<Vec<Mat3>> {
        let [pack, lane] = batch.find(cell)?;
        let place = |point: usize| [pack, lane, point];
        let points = (0..batch.point_count()).map(|point| batch.rest_point(place(point)).inverse);
        let points: Vec<Mat3> = points.collect();
        let has_flowed = |(point, inverse): (usize, &Mat3)| {
            let rest = batch.jacobian_now(&self.mesh().nodes, place(point));
            (rest * *inverse - Mat3::IDENTITY).norm_squared() > ROUNDING_SQUARED
        };
        points.iter().enumerate().any(has_flowed).then_some(points)
    }
}

impl Model {
    /// The same model with cells that have flowed like this, also cells whose material does not flow.
    ///
    /// # Errors
    ///
    /// Missing cells, cells with another number of points, shapes without volume.
    #[doc(hidden)]
    pub fn with_cell_flow(&self, flows: &[CellFlow]) -> Result<FlowedModel, ModelError> {
        let count = self.mesh().cell_count();
        let rising = flows.is_sorted_by(|a, b| a.cell < b.cell);
        let there = flows.last().is_none_or(|flow| (flow.cell as usize) < count);
        if !(rising && there) {
            return Err(ModelError::OtherFlow { cells: count });
        }
        let model = self.clone().with_settled(flows.iter().map(|flow| flow.cell).collect());
        let mut state = model.rest_shape().flow_state();
        let mut left = flows.len();
        for (batch, rest) in plastic_batches(&model, &mut state) {
            let own = |flow: &&CellFlow| flow.points.len() == batch.point_count() && is_valid(flow);
            for flow in flows.iter().filter(own) {
                let Some([pack, lane]) = batch.find(flow.cell) else { continue };
                left -= 1;
                for (point, inverse) in flow.points.iter().enumerate() {
                    let place = [pack, lane, point];
                    let here = RestBatch::new(batch, rest).rest_point(place);
                    rest.set(place, &here.flowed_to(inverse));
                }
            }
        }
        if left > 0 {
            return Err(ModelError::OtherFlow { cells: count });
        }
        Ok(FlowedModel::normal(model, state))
    }
}

/// True if every point has a volume.
fn is_valid(flow: &CellFlow) -> bool {
    flow.points.iter().all(|inverse| inverse.det().is_finite() && inverse.det() > 0.0)
}
