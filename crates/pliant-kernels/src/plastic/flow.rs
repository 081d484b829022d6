//! Detection of the quadrature points of a pack that flow, and their new rest shapes.

use glam::DVec3;

use crate::element::MAX_NODES;
use crate::lanes::{
    Kernel, RestBatch, Width, gather_node, load, reference_gradient, rest_point, store,
};
use crate::math::{LANES, Lanes, Mat3, Pack, Vec3};

use super::return_map::{FlowPoint, Matter};

/// The cells of a pack: their node positions now and at rest, and their plastic material.
#[derive(Debug, Clone, Copy)]
pub struct FlowPack<'a> {
    /// The batch, with the present rest points.
    pub batch: RestBatch<'a>,
    /// The index of the pack in the batch.
    pub pack: usize,
    /// Its plastic material.
    pub matter: &'a Matter,
    /// Positions of all nodes.
    pub x: &'a [DVec3],
    /// Rest positions of all nodes.
    pub x_rest: &'a [DVec3],
}

impl FlowPack<'_> {
    /// Appends pack, lane and point of all points that flow, with their new ∂ξ/∂X.
    pub fn find(&self, width: Width, changes: &mut Vec<([usize; 3], Mat3)>) {
        let nodes = self.batch.pack_nodes(self.pack);
        let (now, rest) = (gathered(nodes, self.x), gathered(nodes, self.x_rest));
        for point in 0..self.batch.point_count() {
            let (inverse, flows) = ([[0.0; LANES]; 9], [0.0; LANES]);
            let mut look = Look { cells: self, now: &now, rest: &rest, point, inverse, flows };
            width.run(&mut look);
            let used = 0..self.batch.lanes_used(self.pack);
            for lane in used.filter(|lane| look.flows[*lane] > 0.5) {
                let inverse = Mat3::from_fn(|i, j| look.inverse[3 * j + i][lane]);
                changes.push(([self.pack, lane, point], inverse));
            }
        }
    }
}

/// Positions of the nodes of the cells of a pack.
type FlowNodes = [[Pack; 3]; MAX_NODES];

fn gathered(nodes: &[[u32; LANES]], x: &[DVec3]) -> FlowNodes {
    let mut gathered = [[[0.0; LANES]; 3]; MAX_NODES];
    gathered.iter_mut().zip(nodes).for_each(|(slot, nodes)| gather_node(nodes, x, slot));
    gathered
}

/// The new ∂ξ/∂X of a point of every lane, and a flag: one where the point flows, zero elsewhere.
struct Look<'a> {
    cells: &'a FlowPack<'a>,
    now: &'a FlowNodes,
    rest: &'a FlowNodes,
    point: usize,
    inverse: [Pack; 9],
    flows: Pack,
}

impl Look<'_> {
    /// Returns ∂x/∂ξ of the point.
    #[inline(always)]
    fn jacobian<L: Lanes>(&self, lanes: L, nodes: &FlowNodes) -> Mat3<L::Lane> {
        let gradients = self.cells.batch.point_gradients(self.point);
        let mut x = [Vec3([lanes.splat(0.0); 3]); MAX_NODES];
        for (x, node) in x.iter_mut().zip(nodes).take(gradients.len()) {
            *x = load(lanes, node, 0);
        }
        reference_gradient(&x, gradients)
    }
}

impl Kernel for Look<'_> {
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let FlowPack { batch, pack, matter, .. } = *self.cells;
        let (g, _) = rest_point(lanes, &batch, batch.pack_rest(pack), self.point);
        let (rest, now) = (self.jacobian(lanes, self.rest), self.jacobian(lanes, self.now));
        let point = FlowPoint { elastic: now * g, inverse: rest * g };
        let Some((inverse, flows)) = matter.flow(lanes, &point) else { return };
        lanes.store(flows, &mut self.flows);
        store(lanes, &(rest.inverse() * inverse).0, &mut self.inverse);
    }
}
