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
    /// The least of them.
    least: f64,
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
        let least = reaches.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        Self { reaches, least }
    }

    /// True if no node moves by more than half the least trusted displacement relative to the first one: then no cell can leave the trust region, and the
    /// cells need not be looked at.
    fn surely_holds(&self, v: &[DVec3], g: f64) -> bool {
        let Some(first) = v.first() else { return true };
        v.iter().all(|v| 4.0 * g * g * v.distance_squared(*first) <= self.least)
    }

    /// True if some cell leaves the trust region when nodes move with these velocities for `g` seconds, or if a
    /// velocity is not finite.
    pub(super) fn exceeded(&self, model: &Model, v: &[DVec3], g: f64) -> bool {
        if self.surely_holds(v, g) {
            return false;
        }
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
