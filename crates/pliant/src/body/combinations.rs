//! Points that are fixed combinations of nodes.

use glam::DVec3;
use rayon::prelude::*;

/// Points that one thread moves at a time.
const CHUNK: usize = 1024;

/// So many points are moved sooner than a second thread wakes.
const FEW: usize = 4 * CHUNK;

/// The matrix H of `p = H q`, by rows.
///
/// Points of one cell have the same nodes. These are kept once, so half as much is read as if each
/// weight came with its node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Combinations {
    /// Weights of point `p` are `weights[start[p]..start[p + 1]]`.
    start: Vec<u32>,
    weights: Vec<f64>,
    /// Where the list of nodes of a point begins; it is as long as its weights.
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl Default for Combinations {
    fn default() -> Self {
        Self { start: vec![0], weights: vec![], first: vec![], nodes: vec![] }
    }
}

impl Combinations {
    /// Adds a list of nodes for points to follow; returns where it begins.
    pub(super) fn add_list(&mut self, nodes: &[u32]) -> u32 {
        self.nodes.extend_from_slice(nodes);
        (self.nodes.len() - nodes.len()) as u32
    }

    /// Adds a point that follows the list of nodes that begins there, with as many weights.
    pub(super) fn push(&mut self, first: u32, weights: &[f64]) {
        debug_assert!(
            first as usize + weights.len() <= self.nodes.len(),
            "a node for every weight"
        );
        self.first.push(first);
        self.weights.extend_from_slice(weights);
        self.start.push(self.weights.len() as u32);
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether they need no nodes but the first so many.
    pub(super) fn nodes_below(&self, count: usize) -> bool {
        self.nodes.iter().all(|node| (*node as usize) < count)
    }

    /// Nodes and weights of a point.
    pub(super) fn row(&self, point: usize) -> (&[u32], &[f64]) {
        let weights = &self.weights[self.start[point] as usize..self.start[point + 1] as usize];
        let first = self.first[point] as usize;
        (&self.nodes[first..first + weights.len()], weights)
    }

    /// p = H q.
    pub(super) fn interpolate(&self, q: &[DVec3], points: &mut Vec<DVec3>) {
        points.resize(self.len(), DVec3::ZERO);
        let blend = |(chunk, points): (usize, &mut [DVec3])| self.blend(q, chunk * CHUNK, points);
        if points.len() <= FEW {
            points.chunks_mut(CHUNK).enumerate().for_each(blend);
        } else {
            points.par_chunks_mut(CHUNK).enumerate().for_each(blend);
        }
    }

    /// The points from the one of number `from` on, in runs of those with as many nodes.
    fn blend(&self, q: &[DVec3], from: usize, points: &mut [DVec3]) {
        let mut rest = &mut *points;
        let mut at = from;
        while !rest.is_empty() {
            let start = &self.start[at..=at + rest.len()];
            let count = start[1] - start[0];
            let run = start.windows(2).take_while(|pair| pair[1] - pair[0] == count).count();
            let (points, others) = rest.split_at_mut(run);
            let weights = &self.weights[start[0] as usize..start[run] as usize];
            let rows = Rows { first: &self.first[at..at + run], weights, nodes: &self.nodes };
            rows.blend(count as usize, q, points);
            (rest, at) = (others, at + run);
        }
    }
}

/// Points with equally many nodes each.
struct Rows<'a> {
    first: &'a [u32],
    weights: &'a [f64],
    nodes: &'a [u32],
}

impl Rows<'_> {
    /// Compiled for the numbers of nodes that cells have.
    fn blend(&self, count: usize, q: &[DVec3], points: &mut [DVec3]) {
        match count {
            4 => self.blend_of::<4>(q, points),
            8 => self.blend_of::<8>(q, points),
            10 => self.blend_of::<10>(q, points),
            20 => self.blend_of::<20>(q, points),
            27 => self.blend_of::<27>(q, points),
            _ => self.blend_any(count, q, points),
        }
    }

    /// In two sums, so that the processor need not wait for each term before it adds the next.
    fn blend_of<const N: usize>(&self, q: &[DVec3], points: &mut [DVec3]) {
        let rows = self.weights.as_chunks::<N>().0.iter().zip(self.first);
        for (point, (weights, first)) in points.iter_mut().zip(rows) {
            let nodes: &[u32; N] =
                self.nodes[*first as usize..].first_chunk().expect("a node for every weight");
            let mut sums = [DVec3::ZERO; 2];
            for k in 0..N {
                sums[k % 2] += weights[k] * q[nodes[k] as usize];
            }
            *point = sums[0] + sums[1];
        }
    }

    fn blend_any(&self, count: usize, q: &[DVec3], points: &mut [DVec3]) {
        for (k, (point, first)) in points.iter_mut().zip(self.first).enumerate() {
            let weights = &self.weights[k * count..(k + 1) * count];
            let terms = self.nodes[*first as usize..].iter().zip(weights);
            *point = terms.map(|(node, weight)| *weight * q[*node as usize]).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_the_sums_of_their_nodes() {
        let q: Vec<DVec3> = (0..64).map(|k| DVec3::new(1.0, f64::from(k), 0.5)).collect();
        let mut combinations = Combinations::default();
        // Every count alone and between others; so many that threads share them.
        for k in 0..6000 {
            let count = [0, 1, 3, 4, 8, 9, 10, 20, 27][if k < 4000 { k / 450 } else { k % 9 }];
            let weights: Vec<f64> = (0..count).map(|n| 1.0 / f64::from(n + 1)).collect();
            let nodes: Vec<u32> = (0..count as u32).map(|n| n + k as u32 % 37).collect();
            let first = combinations.add_list(&nodes);
            combinations.push(first, &weights);
        }
        let mut points = Vec::new();
        combinations.interpolate(&q, &mut points);
        assert_eq!(points.len(), 6000);
        for (k, point) in points.iter().enumerate() {
            let (nodes, weights) = combinations.row(k);
            let sum: DVec3 = nodes.iter().zip(weights).map(|(n, w)| *w * q[*n as usize]).sum();
            // At most 27 terms below 64, added in another order.
            assert!((*point - sum).abs().max_element() < 1e-12, "{k}: {point} for {sum}");
        }
        assert!(combinations.nodes_below(63) && !combinations.nodes_below(62));
    }
}
