//! Flow at all points of a body.

use fearless_simd::dispatch;
use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Batch, Body, Model};
use crate::force::{Width, load, rest_point};
use crate::math::{LANES, Lanes, Mat3, One, Pack, Vec3, Wide};

use super::return_map::{Matter, Point};

/// Lets the matter of a body flow at the end of a step, and owns the buffers for it.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    width: Width,
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
        let width = self.width;
        let work = |(pack, changes): (usize, &mut Vec<_>)| {
            changes.clear();
            look_at_pack((model, batch), width, pack, (x, h), changes);
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

/// Finds the points of a pack that flow.
fn look_at_pack(
    (model, batch): (&Model, &Batch),
    width: Width,
    pack: usize,
    (x, h): (&[DVec3], f64),
    changes: &mut Vec<([usize; 3], Mat3)>,
) {
    let mut matter = Matter::new(batch.law, batch.pack_constants(pack));
    for (lane, cell) in batch.pack_cells(pack).iter().enumerate() {
        matter.set(lane, model.material(*cell as usize), h);
    }
    let nodes = batch.pack_nodes(pack);
    let look = Look {
        batch,
        pack,
        matter,
        x: gathered(nodes, x),
        x_rest: gathered(nodes, &model.mesh().nodes),
    };
    for point in 0..batch.point_count() {
        let mut found = Found { inverse: [[0.0; LANES]; 9], flows: [0.0; LANES] };
        match width {
            Width::One => (0..LANES).for_each(|lane| look.at(One(lane), point, &mut found)),
            Width::Packs(level) => {
                dispatch!(level, simd => look.at(Wide(simd), point, &mut found));
            }
        }
        for lane in (0..batch.lanes_used(pack)).filter(|lane| found.flows[*lane] > 0.5) {
            let inverse = Mat3::from_fn(|i, j| found.inverse[3 * j + i][lane]);
            changes.push(([pack, lane, point], inverse));
        }
    }
}

/// Most nodes of a cell.
const MOST_NODES: usize = 27;

/// Positions of the nodes of the cells of a pack.
type Nodes = [[Pack; 3]; MOST_NODES];

fn gathered(nodes: &[[u32; LANES]], x: &[DVec3]) -> Nodes {
    let mut gathered = [[[0.0; LANES]; 3]; MOST_NODES];
    for (slot, nodes) in gathered.iter_mut().zip(nodes) {
        for (lane, node) in nodes.iter().enumerate() {
            let position = x[*node as usize];
            (slot[0][lane], slot[1][lane], slot[2][lane]) = (position.x, position.y, position.z);
        }
    }
    gathered
}

/// A pack, and what is looked at there.
struct Look<'a> {
    batch: &'a Batch,
    pack: usize,
    matter: Matter,
    x: Nodes,
    x_rest: Nodes,
}

/// The new G of a point of every lane, and where it is new: one there, zero elsewhere.
struct Found {
    inverse: [Pack; 9],
    flows: Pack,
}

impl Look<'_> {
    /// Looks at a point of the lanes.
    #[inline(always)]
    fn at<L: Lanes>(&self, lanes: L, point: usize, found: &mut Found) {
        let gradients = self.batch.point_gradients(point);
        let (g, _) = rest_point(lanes, self.batch, self.batch.pack_rest(self.pack), point);
        let rest = jacobian(lanes, &self.x_rest, gradients);
        let elastic = jacobian(lanes, &self.x, gradients) * g;
        let now = Point { elastic, inverse: rest * g };
        let Some((inverse, flows)) = self.matter.flow(lanes, &now) else { return };
        lanes.store(flows, &mut found.flows);
        let g = rest.inverse() * inverse;
        for (column, three) in g.0.iter().zip(found.inverse.as_chunks_mut::<3>().0) {
            for (component, pack) in column.0.iter().zip(three) {
                lanes.store(*component, pack);
            }
        }
    }
}

/// Σ x ⊗ ∂B/∂ξ.
#[inline(always)]
fn jacobian<L: Lanes>(lanes: L, x: &Nodes, gradients: &[[f64; 3]]) -> Mat3<L::Lane> {
    let mut sum = Mat3([Vec3([lanes.splat(0.0); 3]); 3]);
    for (x, gradient) in x.iter().zip(gradients) {
        let x = load(lanes, x, 0);
        for (column, weight) in sum.0.iter_mut().zip(gradient) {
            *column += x * lanes.splat(*weight);
        }
    }
    sum
}

/// Fᵖ⁻¹ of a point.
pub(super) fn plastic_inverse(model: &Model, batch: &Batch, place: [usize; 3]) -> Mat3 {
    let [pack, lane, point] = place;
    let g = batch.rest_point(pack, lane, point).inverse;
    batch.jacobian_now(&model.mesh().nodes, place) * g
}
