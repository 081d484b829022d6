//! Plastic rest shapes of a body, cell by cell.

use crate::body::model::error::ModelError;
use crate::body::model::model::Model;
use pliant_kernels::math::{LANES, Mat3};

/// ‖Fᵖ⁻¹ − I‖² up to which a difference is rounding and not plastic flow.
const ROUNDING_SQUARED: f64 = 1e-26;

/// The plastic rest shape of a cell: ∂ξ/∂X at its quadrature points.
#[derive(Debug, Clone, PartialEq)]
pub struct CellFlow {
    /// The cell.
    pub cell: u32,
    /// ∂ξ/∂X of the rest shape at each quadrature point.
    pub points: Vec<Mat3>,
}

impl Model {
    /// The cells that have flowed at any quadrature point, in ascending order.
    pub(crate) fn flowed_cells(&self) -> Vec<u32> {
        self.cell_flow().into_iter().map(|flow| flow.cell).collect()
    }

    /// The plastic rest shapes of all cells that differ from the mesh, in ascending order of cells. For storage
    /// outside of snapshots, which can only be restored in a world that was built in the same way.
    pub fn cell_flow(&self) -> Vec<CellFlow> {
        let mut flows = Vec::new();
        for batch in self.batches().iter().filter(|batch| batch.plastic) {
            for (place, cell) in batch.cells.iter().enumerate() {
                let (pack, lane) = (place / LANES, place % LANES);
                let points = 0..batch.point_count();
                let points: Vec<Mat3> =
                    points.map(|q| batch.rest_point(pack, lane, q).inverse).collect();
                let unlike = |(q, inverse): (usize, &Mat3)| {
                    let rest = batch.jacobian_now(&self.mesh().nodes, [pack, lane, q]);
                    (rest * *inverse - Mat3::IDENTITY).norm_squared() > ROUNDING_SQUARED
                };
                if points.iter().enumerate().any(unlike) {
                    flows.push(CellFlow { cell: *cell, points });
                }
            }
        }
        flows.sort_unstable_by_key(|flow| flow.cell);
        flows
    }

    /// The same model with these plastic rest shapes, also in cells whose material no longer flows.
    ///
    /// # Errors
    ///
    /// Cells that do not exist, are not in ascending order or have another number of points; shapes without positive
    /// volume.
    pub fn with_cell_flow(&self, flows: &[CellFlow]) -> Result<Self, ModelError> {
        let mut model = self.clone();
        let rising = flows.is_sorted_by(|a, b| a.cell < b.cell);
        let there = flows.last().is_none_or(|flow| (flow.cell as usize) < self.mesh().cell_count());
        if !(rising && there) {
            return Err(ModelError::OtherFlow { cells: self.mesh().cell_count() });
        }
        model.settle(flows.iter().map(|flow| flow.cell).collect());
        // Every given cell must be in a plastic batch, with the right number of valid points: `left` counts the others.
        let mut left = flows.len();
        for batch in model.batches_mut().iter_mut().filter(|batch| batch.plastic) {
            for flow in flows {
                let Ok(place) = batch.cells.binary_search(&flow.cell) else { continue };
                let sound = |inverse: &Mat3| inverse.det().is_finite() && inverse.det() > 0.0;
                if flow.points.len() == batch.point_count() && flow.points.iter().all(sound) {
                    left -= 1;
                }
                for (q, inverse) in flow.points.iter().enumerate().take(batch.point_count()) {
                    batch.flow_to([place / LANES, place % LANES, q], inverse);
                }
            }
        }
        if left > 0 {
            return Err(ModelError::OtherFlow { cells: self.mesh().cell_count() });
        }
        Ok(model)
    }
}
