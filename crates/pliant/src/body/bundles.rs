//! Points that follow the same nodes, eight side by side.

use fearless_simd::{Level, dispatch};
use glam::DVec3;

use crate::math::{LANES, Lanes, Pack, Vec3, Wide};

/// Fewer points than this that follow the same nodes are moved one by one: more lanes would be empty than full.
const FEWEST: usize = 4;

/// Eight points that follow the same nodes.
#[derive(Debug, Clone, PartialEq)]
struct Bundle {
    /// Where the list of nodes begins, and how long it is.
    first: u32,
    count: u32,
    /// Where its weights begin.
    weights: u32,
    /// The points, of which `used` count.
    points: [u32; LANES],
    used: u32,
}

/// The points of a chunk in bundles, and those that are left over.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Bundles {
    bundles: Vec<Bundle>,
    /// A weight for every node of a bundle, of all its points side by side.
    weights: Vec<Pack>,
    /// Points that are moved one by one.
    loose: Vec<u32>,
}

impl Bundles {
    /// Of rows: nodes by where their list begins, and weights. Points that begin at the same place of the list follow the same nodes.
    pub(super) fn of<'a>(rows: impl Iterator<Item = (u32, &'a [f64])>) -> Self {
        let rows: Vec<(u32, &[f64])> = rows.collect();
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let key = |point: &u32| (rows[*point as usize].0, rows[*point as usize].1.len());
        order.sort_by_key(key);
        let mut bundles = Self::default();
        for same in order.chunk_by(|a, b| key(a) == key(b)) {
            for points in same.chunks(LANES) {
                if points.len() < FEWEST {
                    bundles.loose.extend_from_slice(points);
                } else {
                    bundles.push(points, &rows);
                }
            }
        }
        bundles
    }

    fn push(&mut self, points: &[u32], rows: &[(u32, &[f64])]) {
        let (first, weights) = rows[points[0] as usize];
        let (count, used) = (weights.len() as u32, points.len() as u32);
        let mut bundle =
            Bundle { first, count, weights: self.weights.len() as u32, points: [0; LANES], used };
        bundle.points[..points.len()].copy_from_slice(points);
        for node in 0..weights.len() {
            let mut pack = [0.0; LANES];
            for (lane, point) in pack.iter_mut().zip(points) {
                *lane = rows[*point as usize].1[node];
            }
            self.weights.push(pack);
        }
        self.bundles.push(bundle);
    }

    /// Points that are in no bundle.
    pub(super) fn loose(&self) -> &[u32] {
        &self.loose
    }

    /// Moves the points that are in bundles.
    pub(super) fn blend(&self, nodes: &[u32], q: &[DVec3], points: &mut [DVec3]) {
        dispatch!(Level::new(), simd => self.blend_in(Wide(simd), nodes, q, points));
    }

    #[inline(always)]
    fn blend_in<L: Lanes>(&self, lanes: L, nodes: &[u32], q: &[DVec3], points: &mut [DVec3]) {
        for bundle in &self.bundles {
            let (first, count) = (bundle.first as usize, bundle.count as usize);
            let from = bundle.weights as usize;
            let sum =
                blended(lanes, &nodes[first..first + count], q, &self.weights[from..from + count]);
            let mut moved = [[0.0; LANES]; 3];
            for (component, pack) in sum.0.iter().zip(&mut moved) {
                lanes.store(*component, pack);
            }
            let [x, y, z] = &moved;
            for lane in 0..bundle.used as usize {
                points[bundle.points[lane] as usize] = DVec3::new(x[lane], y[lane], z[lane]);
            }
        }
    }
}

/// Σ w q in two sums, as for a single point.
#[inline(always)]
fn blended<L: Lanes>(lanes: L, nodes: &[u32], q: &[DVec3], weights: &[Pack]) -> Vec3<L::Lane> {
    let zero = Vec3([lanes.splat(0.0); 3]);
    let (mut even, mut odd) = (zero, zero);
    let (pairs, last) = nodes.as_chunks::<2>();
    let (weight_pairs, last_weight) = weights.as_chunks::<2>();
    for ([first, second], [w_first, w_second]) in pairs.iter().zip(weight_pairs) {
        even += term(lanes, w_first, q[*first as usize]);
        odd += term(lanes, w_second, q[*second as usize]);
    }
    for (node, weight) in last.iter().zip(last_weight) {
        even += term(lanes, weight, q[*node as usize]);
    }
    even + odd
}

#[inline(always)]
fn term<L: Lanes>(lanes: L, weight: &Pack, q: DVec3) -> Vec3<L::Lane> {
    let weight = lanes.load(weight);
    Vec3([weight * q.x, weight * q.y, weight * q.z])
}
