//! Plastic flow at all quadrature points of a body.

use glam::DVec3;
use pliant_kernels::plastic::{FlowPack, Matter};
use rayon::prelude::*;

use crate::body::{Batch, Body, Model, RestBatch, RestShape};
use crate::force::Width;
use pliant_kernels::math::Mat3;

/// Applies plastic flow at the end of a step, and owns the buffers for it.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    width: Width,
    /// For every pack, the points that flow and their new G.
    changes: Vec<Vec<([usize; 3], Mat3)>>,
}

/// Statistics of the flow in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowReport {
    /// Quadrature points that flowed.
    pub points: usize,
}

/// Number of packs below which one thread does all the work.
const FEW_PACKS: usize = 64;

impl Flow {
    /// Applies the flow of the last `h` seconds to the body. The bits do not depend on the number of threads.
    pub fn step(&mut self, body: &mut Body, h: f64) -> FlowReport {
        let mut report = FlowReport::default();
        if !(body.model().is_plastic() && body.state.is_finite()) {
            return report;
        }
        for index in 0..body.rest_shape().plastic_batches().count() {
            let rest = body.rest_shape();
            let batch = rest.plastic_batches().nth(index).expect("one of its batches");
            self.look(rest.model(), batch, &body.state.x, h);
            report.points += self.take(body, index);
        }
        report
    }

    /// Finds the points of a batch that flow.
    fn look(&mut self, model: &Model, batch: RestBatch<'_>, x: &[DVec3], h: f64) {
        let count = batch.pack_count();
        if self.changes.len() < count {
            self.changes.resize_with(count, Vec::new);
        }
        let width = self.width;
        let work = |(pack, changes): (usize, &mut Vec<_>)| {
            changes.clear();
            let matter = pack_matter(model, &batch, pack, h);
            let x_rest = &model.mesh().nodes;
            FlowPack { batch, pack, matter: &matter, x, x_rest }.find(width, changes);
        };
        let packs = &mut self.changes[..count];
        if count < FEW_PACKS {
            packs.iter_mut().enumerate().for_each(work);
        } else {
            packs.par_iter_mut().enumerate().with_min_len(8).for_each(work);
        }
        self.changes[count..].iter_mut().for_each(Vec::clear);
    }

    /// Gives the flowing points of a plastic batch their new rest shapes.
    fn take(&self, body: &mut Body, batch: usize) -> usize {
        let count = self.changes.iter().map(Vec::len).sum();
        if count > 0 {
            let first = || body.model.rest_shape().flow_state();
            let rest = &mut body.state.flow.get_or_insert_with(first).batches_mut()[batch];
            for (place, inverse) in self.changes.iter().flatten() {
                rest.set_inverse(*place, inverse);
            }
        }
        count
    }
}

/// The plastic properties of the cells of a pack, for steps of `h` seconds.
fn pack_matter(model: &Model, batch: &Batch, pack: usize, h: f64) -> Matter {
    let mut matter = Matter::new(batch.law, batch.pack_constants(pack));
    for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
        matter.set(lane, model.material(*cell as usize), h);
    }
    matter
}

/// Fᵖ⁻¹ at a quadrature point.
pub(super) fn plastic_inverse(
    rest: RestShape<'_>,
    batch: &RestBatch<'_>,
    place: [usize; 3],
) -> Mat3 {
    let g = batch.rest_point(place).inverse;
    batch.jacobian_now(&rest.mesh().nodes, place) * g
}
