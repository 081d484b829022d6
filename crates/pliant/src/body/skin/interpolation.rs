//! Points that are fixed combinations of nodes.

use std::sync::OnceLock;

use glam::DVec3;
use pliant_kernels::bundles::Bundles;
use rayon::prelude::*;

/// Points that one task interpolates: about ten microseconds of work. Points of a chunk that have the same nodes are
/// interpolated together, in SIMD lanes.
const POINTS_PER_CHUNK: usize = 4096;

/// The matrix H of `p = H q`, by rows.
///
/// Points of one cell have the same nodes. The list of these nodes is stored once, which halves the memory that is
/// read compared with a node index beside every weight.
#[derive(Debug, Clone)]
pub(crate) struct Combinations {
    /// Weights of point `p` are `weights[start[p]..start[p + 1]]`.
    start: Vec<u32>,
    weights: Vec<f64>,
    /// The start of the node list of every point in `nodes`; the list is as long as the weights of the point.
    first: Vec<u32>,
    nodes: Vec<u32>,
    /// The points of every chunk, grouped by node list; computed on first use.
    bundles: OnceLock<Vec<Bundles>>,
}

/// Compares the matrices; `bundles` is a cache and does not count.
impl PartialEq for Combinations {
    fn eq(&self, other: &Self) -> bool {
        let Self { start, weights, first, nodes, bundles: _ } = self;
        (start, weights, first, nodes) == (&other.start, &other.weights, &other.first, &other.nodes)
    }
}

impl Default for Combinations {
    fn default() -> Self {
        let (start, bundles) = (vec![0], OnceLock::new());
        Self { start, weights: vec![], first: vec![], nodes: vec![], bundles }
    }
}

impl Combinations {
    /// Adds a list of nodes for points to follow; returns its start.
    pub(crate) fn add_list(&mut self, nodes: &[u32]) -> u32 {
        self.nodes.extend_from_slice(nodes);
        (self.nodes.len() - nodes.len()) as u32
    }

    /// Adds a point that follows the node list starting at `first`, with one weight per node.
    pub(crate) fn push(&mut self, first: u32, weights: &[f64]) {
        debug_assert!(
            first as usize + weights.len() <= self.nodes.len(),
            "a node for every weight"
        );
        self.bundles.take();
        self.first.push(first);
        self.weights.extend_from_slice(weights);
        self.start.push(self.weights.len() as u32);
    }

    /// Keeps these points only, in this order.
    pub(crate) fn keep(&mut self, kept: &[u32]) {
        let old = std::mem::take(self);
        self.nodes = old.nodes.clone();
        for point in kept {
            let (_, weights) = old.row(*point as usize);
            self.push(old.first[*point as usize], weights);
        }
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// True if all node indices are below `count`.
    pub(crate) fn nodes_below(&self, count: usize) -> bool {
        self.nodes.iter().all(|node| (*node as usize) < count)
    }

    /// Nodes and weights of a point.
    pub(crate) fn row(&self, point: usize) -> (&[u32], &[f64]) {
        let weights = &self.weights[self.start[point] as usize..self.start[point + 1] as usize];
        let first = self.first[point] as usize;
        (&self.nodes[first..first + weights.len()], weights)
    }

    /// Computes p = H q.
    pub(crate) fn interpolate(&self, q: &[DVec3], points: &mut Vec<DVec3>) {
        points.resize(self.len(), DVec3::ZERO);
        let bundles = self.bundles.get_or_init(|| self.bundled());
        let blend = |(chunk, (points, bundles)): (usize, (&mut [DVec3], &Bundles))| {
            bundles.blend(&self.nodes, q, points);
            for point in bundles.loose() {
                points[*point as usize] = self.point(q, chunk * POINTS_PER_CHUNK + *point as usize);
            }
        };
        if points.len() <= POINTS_PER_CHUNK {
            points.chunks_mut(POINTS_PER_CHUNK).zip(bundles).enumerate().for_each(blend);
        } else {
            points.par_chunks_mut(POINTS_PER_CHUNK).zip(bundles).enumerate().for_each(blend);
        }
    }

    /// Groups the points of every chunk by node list.
    fn bundled(&self) -> Vec<Bundles> {
        let row = |point: usize| (self.first[point], self.row(point).1);
        let chunk = |from: usize| {
            let rows: Vec<_> = (from..self.len().min(from + POINTS_PER_CHUNK)).map(row).collect();
            Bundles::of(&rows)
        };
        (0..self.len()).step_by(POINTS_PER_CHUNK).map(chunk).collect()
    }

    /// Interpolates one point. Two independent sums, so that an addition need not wait for the previous one.
    fn point(&self, q: &[DVec3], point: usize) -> DVec3 {
        let (nodes, weights) = self.row(point);
        let mut sums = [DVec3::ZERO; 2];
        for (k, (node, weight)) in nodes.iter().zip(weights).enumerate() {
            sums[k % 2] += *weight * q[*node as usize];
        }
        sums[0] + sums[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Interpolation equals the plain weighted sum of nodes, for all sizes and sharings of node lists.
    #[test]
    fn points_are_the_sums_of_their_nodes() {
        let q: Vec<DVec3> = (0..64).map(|k| DVec3::new(1.0, f64::from(k), 0.5)).collect();
        let mut combinations = Combinations::default();
        // Node lists of every length, first in runs of equal length and then mixed; enough points for several chunks,
        // so that threads share the work.
        for k in 0..6000 {
            let count = [0, 1, 3, 4, 8, 9, 10, 20, 27][if k < 4000 { k / 450 } else { k % 9 }];
            let weights: Vec<f64> = (0..count).map(|n| 1.0 / f64::from(n + 1)).collect();
            let nodes: Vec<u32> = (0..count as u32).map(|n| n + k as u32 % 37).collect();
            let first = combinations.add_list(&nodes);
            // One to eleven points with the same nodes: fewer and more than the lanes of a bundle.
            for again in 0..1 + k % 11 {
                let weights: Vec<f64> = weights.iter().map(|w| w / (again + 1) as f64).collect();
                combinations.push(first, &weights);
            }
        }
        let mut points = Vec::new();
        combinations.interpolate(&q, &mut points);
        assert!(points.len() > 5 * POINTS_PER_CHUNK, "{}", points.len());
        for (k, point) in points.iter().enumerate() {
            let (nodes, weights) = combinations.row(k);
            let sum: DVec3 = nodes.iter().zip(weights).map(|(n, w)| *w * q[*n as usize]).sum();
            // Rounding only: at most 27 terms below 64, added in another order.
            assert!((*point - sum).abs().max_element() < 1e-12, "{k}: {point} for {sum}");
        }
        assert!(combinations.nodes_below(63) && !combinations.nodes_below(62));
    }
}
