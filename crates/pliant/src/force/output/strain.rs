//! Strain as fields over a body, and measures of its cells.

use glam::DVec3;

use crate::body::{Batch, Model};
use crate::math::{LANES, Mat3, svd};

use super::node_field::{NodeField, averaged};

/// det F: how much the volume has changed at a point.
pub fn det_f(model: &Model, x: &[DVec3]) -> NodeField {
    averaged(model, x, |_, f| f.det())
}

/// The largest principal stretch σ₁ of F: how many times as long the matter at a point has become along the
/// direction in which it has grown most.
pub fn principal_stretch(model: &Model, x: &[DVec3]) -> NodeField {
    averaged(model, x, |_, f| svd(f).sigma[0])
}

/// Cells in which det F is not positive at some quadrature point; of cells that are filled in part, at one
/// with matter.
pub fn inverted_cells(model: &Model, x: &[DVec3]) -> usize {
    /// Points with less than this part of the matter of the fullest point count as empty.
    const EMPTY: f64 = 0.05;
    let is_inverted = |batch: &Batch, cell: usize| {
        let points = || (0..batch.point_count()).map(|point| point_state(batch, cell, point, x));
        let most = points().map(|(_, volume)| volume).fold(0.0, f64::max);
        let counts = |volume: f64| model.contents().is_none() || volume > EMPTY * most;
        points().any(|(f, volume)| f.det() <= 0.0 && counts(volume))
    };
    let count =
        |batch: &Batch| (0..batch.cells.len()).filter(|cell| is_inverted(batch, *cell)).count();
    model.batches().iter().map(count).sum()
}

/// Volume of the matter of a body now and at rest, in m³, where its cells are filled in part; parts of
/// other stiffness count in proportion to it.
pub fn matter_volumes(model: &Model, x: &[DVec3]) -> [f64; 2] {
    let mut volumes = [0.0; 2];
    for batch in model.batches() {
        for (cell, point) in
            (0..batch.cells.len()).flat_map(|cell| (0..batch.point_count()).map(move |p| (cell, p)))
        {
            let (f, volume) = point_state(batch, cell, point, x);
            volumes[0] += f.det() * volume;
            volumes[1] += volume;
        }
    }
    volumes
}

/// F and rest volume of a quadrature point of a cell of a batch.
fn point_state(batch: &Batch, cell: usize, point: usize, x: &[DVec3]) -> (Mat3, f64) {
    let (pack, lane) = (cell / LANES, cell % LANES);
    let rest = batch.rest_point(pack, lane, point);
    (batch.jacobian_now(x, [pack, lane, point]) * rest.inverse, rest.volume)
}
