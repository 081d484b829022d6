//! Strain as fields over a body, and measures of its cells.

use glam::DVec3;

use crate::body::{Model, RestBatch, RestShape};
use pliant_kernels::math::{LANES, Mat3, svd};

use super::node_field::averaged;

/// det F: the ratio of the volume to the rest volume.
pub fn det_f(model: &Model, x: &[DVec3]) -> Vec<f64> {
    averaged(model, x, |_, f| f.det())
}

/// The largest principal stretch σ₁ of F: the largest ratio of length to rest length over all directions.
pub fn principal_stretch(model: &Model, x: &[DVec3]) -> Vec<f64> {
    averaged(model, x, |_, f| svd(f).sigma[0])
}

/// Number of cells in which det F is not positive at some quadrature point. In partly filled cells only points with
/// material count.
pub(crate) fn inverted_cells(rest: RestShape<'_>, x: &[DVec3]) -> usize {
    /// Share of the material at the fullest point below which a point counts as empty.
    const EMPTY: f64 = 0.05;
    let is_inverted = |batch: RestBatch<'_>, cell: usize| {
        let points = || (0..batch.point_count()).map(|point| point_state(batch, cell, point, x));
        let most = points().map(|(_, volume)| volume).fold(0.0, f64::max);
        let counts = |volume: f64| rest.contents().is_none() || volume > EMPTY * most;
        points().any(|(f, volume)| f.det() <= 0.0 && counts(volume))
    };
    let count = |batch: RestBatch<'_>| {
        (0..batch.cells.len()).filter(|cell| is_inverted(batch, *cell)).count()
    };
    rest.rest_batches().map(count).sum()
}

/// Volume of the material now and at rest, in m³, for partly filled cells; materials are weighted by their stiffness.
pub(crate) fn matter_volumes(rest: RestShape<'_>, x: &[DVec3]) -> [f64; 2] {
    let mut volumes = [0.0; 2];
    for batch in rest.rest_batches() {
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
fn point_state(batch: RestBatch<'_>, cell: usize, point: usize, x: &[DVec3]) -> (Mat3, f64) {
    let (pack, lane) = (cell / LANES, cell % LANES);
    let rest = batch.rest_point([pack, lane, point]);
    (batch.jacobian_now(x, [pack, lane, point]) * rest.inverse, rest.volume)
}
