//! Flow at all points of a body.

use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Body, Model};
use crate::math::Mat3;

use super::{Matter, Point};

/// Lets the matter of a body flow at the end of a step, and owns the buffers for it.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// Of every pack with points that flow: where, and the new G.
    changes: Vec<Vec<([usize; 3], Mat3)>>,
}

/// What flowed in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlowReport {
    /// Quadrature points that did.
    pub points: usize,
}

/// Packs below which one thread does it all.
const FEW_PACKS: usize = 64;

impl Flow {
    /// Flow in the `h` seconds that have led to where the body is. The bits do not depend on the number of threads.
    pub fn step(&mut self, body: &mut Body, h: f64) -> FlowReport {
        let mut report = FlowReport::default();
        if !(body.model().is_plastic() && body.state.is_finite()) {
            return report;
        }
        for batch in 0..body.model().batches().len() {
            if body.model().batches()[batch].plastic {
                self.look(body.model(), batch, &body.state.x, h);
                report.points += self.take(body, batch);
            }
        }
        report
    }

    /// Finds the points of a batch that flow.
    fn look(&mut self, model: &Model, batch: usize, x: &[DVec3], h: f64) {
        let batch = &model.batches()[batch];
        let count = batch.pack_count();
        if self.changes.len() < count {
            self.changes.resize_with(count, Vec::new);
        }
        let work = |(pack, changes): (usize, &mut Vec<_>)| {
            changes.clear();
            look_at_pack(model, batch, pack, (x, h), changes);
        };
        let packs = &mut self.changes[..count];
        if count < FEW_PACKS {
            packs.iter_mut().enumerate().for_each(work);
        } else {
            packs.par_iter_mut().enumerate().with_min_len(8).for_each(work);
        }
        self.changes[count..].iter_mut().for_each(Vec::clear);
    }

    /// Gives the points that flow their new rest shapes: from then on the body has a model of its own.
    fn take(&self, body: &mut Body, batch: usize) -> usize {
        let count = self.changes.iter().map(Vec::len).sum();
        if count > 0 {
            let batch = &mut body.own_model().batches_mut()[batch];
            for (place, inverse) in self.changes.iter().flatten() {
                batch.set_rest_inverse(*place, inverse);
            }
        }
        count
    }
}

fn look_at_pack(
    model: &Model,
    batch: &Batch,
    pack: usize,
    (x, h): (&[DVec3], f64),
    changes: &mut Vec<([usize; 3], Mat3)>,
) {
    for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
        let Some(matter) = Matter::of(model.material(*cell as usize)) else { continue };
        for point in 0..batch.point_count() {
            let place = [pack, lane, point];
            let (now, rest_to_mesh) = point_of(model, batch, x, place);
            if let Some(after) = matter.flow(&now, h) {
                changes.push((place, rest_to_mesh * after.inverse));
            }
        }
    }
}

/// Fᵉ and Fᵖ⁻¹ of a point, and (∂X/∂ξ)⁻¹.
pub(super) fn point_of(
    model: &Model,
    batch: &Batch,
    x: &[DVec3],
    place: [usize; 3],
) -> (Point, Mat3) {
    let [pack, lane, point] = place;
    let g = batch.rest_point(pack, lane, point).inverse;
    let jacobian = batch.jacobian_now(&model.mesh().nodes, place);
    let elastic = batch.jacobian_now(x, place) * g;
    (Point { elastic, inverse: jacobian * g }, jacobian.inverse())
}
