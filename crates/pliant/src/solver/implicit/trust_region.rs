//! Steps for which one linearisation can be trusted.

use glam::DVec3;

use crate::body::Model;
use crate::math::LANES;

/// Part of the size of a cell by which nodes may move, seen from each other, without being looked at.
const TRUSTED: f64 = 0.2;

/// How far cells may change in a step without being looked at.
///
/// One linearisation answers for small changes. A cell that was crushed or turned inside out may be led so far that
/// its true energy is many orders above what the linear model promised, and the next step would explode.
#[derive(Debug, Clone)]
pub(super) struct TrustRegion {
    /// Of every pack of cells: the largest way of a node, seen from the first of its cell, that is trusted, squared, in m².
    reaches: Vec<[f64; LANES]>,
}

impl TrustRegion {
    pub(super) fn new(model: &Model) -> Self {
        let mut reaches = Vec::new();
        for batch in model.batches() {
            for pack in 0..batch.pack_count() {
                reaches.push(std::array::from_fn(|lane| {
                    let volume: f64 = (0..batch.point_count())
                        .map(|q| batch.rest_point(pack, lane, q).volume)
                        .sum();
                    let reach = TRUSTED * volume.cbrt();
                    if volume > 0.0 { reach * reach } else { f64::INFINITY }
                }));
            }
        }
        Self { reaches }
    }

    /// Whether some cell changes a lot when nodes move with these velocities for `g` seconds. What is no number does.
    pub(super) fn exceeded(&self, model: &Model, v: &[DVec3], g: f64) -> bool {
        let batches = model.batches().iter();
        let mut packs = batches.flat_map(|batch| batch.nodes.chunks(batch.kind.node_count()));
        let g2 = g * g;
        !self.reaches.iter().zip(&mut packs).all(|(reaches, nodes)| {
            (0..LANES).all(|lane| {
                let first = v[nodes[0][lane] as usize];
                let of = |node: &[u32; LANES]| v[node[lane] as usize].distance_squared(first);
                nodes[1..].iter().all(|node| g2 * of(node) <= reaches[lane])
            })
        })
    }
}
