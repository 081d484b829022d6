//! Steps for which one linearisation can be trusted.

use glam::DVec3;

use crate::body::{Model, RestShape};
use pliant_kernels::math::LANES;

/// Displacement of a node relative to the first of its cell, as a share of the cell size, that is within the trust
/// region.
const TRUSTED: f64 = 0.2;

/// The trust region of one linearisation.
///
/// A linearisation is accurate for small changes. For a compressed or inverted cell, a larger step can have a true
/// energy that is many orders above the prediction of the linear model, and the next step would diverge.
#[derive(Debug, Clone)]
pub(super) struct TrustRegion {
    /// For every pack of cells, the squared trusted displacement of a node relative to the first of its cell, in m².
    reaches: Vec<[f64; LANES]>,
}

impl TrustRegion {
    pub(super) fn new(rest: RestShape<'_>) -> Self {
        let mut reaches = Vec::new();
        for batch in rest.rest_batches() {
            for pack in 0..batch.pack_count() {
                reaches.push(std::array::from_fn(|lane| {
                    let volume: f64 = (0..batch.point_count())
                        .map(|q| batch.rest_point([pack, lane, q]).volume)
                        .sum();
                    let reach = TRUSTED * volume.cbrt();
                    if volume > 0.0 { reach * reach } else { f64::INFINITY }
                }));
            }
        }
        Self { reaches }
    }

    /// True if some cell leaves the trust region when nodes move with these velocities for `g` seconds, or if a
    /// velocity is not finite.
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
