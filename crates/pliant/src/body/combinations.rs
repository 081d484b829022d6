//! Points that are fixed combinations of nodes.

use glam::DVec3;
use rayon::prelude::*;

/// Points that one thread moves at a time.
const CHUNK: usize = 1024;

/// So many points are moved sooner than a second thread wakes.
const FEW: usize = 4 * CHUNK;

/// The matrix H of `p = H q`, by rows.
///
/// Most points share their nodes with the one before: those of one cell. So every list of nodes
/// is kept once, and half as much is read as if each weight came with its node.
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
    /// Adds a point that follows these nodes with these weights, as many of both.
    pub(super) fn push(&mut self, nodes: &[u32], weights: &[f64]) {
        debug_assert_eq!(nodes.len(), weights.len(), "a weight for every node");
        let last = self.len().checked_sub(1).map(|last| (self.first[last], self.row(last).0));
        let first = match last {
            Some((first, list)) if list == nodes => first,
            _ => {
                self.nodes.extend_from_slice(nodes);
                (self.nodes.len() - nodes.len()) as u32
            }
        };
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

    /// The points from the one of number `from` on, in runs of those that have the same nodes.
    fn blend(&self, q: &[DVec3], from: usize, points: &mut [DVec3]) {
        let mut done = 0;
        while done < points.len() {
            let at = from + done;
            let (nodes, _) = self.row(at);
            let same = |point: &usize| std::ptr::eq(self.row(*point).0, nodes);
            let run = (at..from + points.len()).take_while(same).count();
            let weights = &self.weights[self.start[at] as usize..self.start[at + run] as usize];
            blend_run(nodes, weights, q, &mut points[done..done + run]);
            done += run;
        }
    }
}

/// Points that follow the same nodes, compiled for the numbers of nodes that cells have.
fn blend_run(nodes: &[u32], weights: &[f64], q: &[DVec3], points: &mut [DVec3]) {
    match nodes.len() {
        4 => blend_of::<4>(nodes, weights, q, points),
        8 => blend_of::<8>(nodes, weights, q, points),
        10 => blend_of::<10>(nodes, weights, q, points),
        20 => blend_of::<20>(nodes, weights, q, points),
        27 => blend_of::<27>(nodes, weights, q, points),
        n => {
            for (k, point) in points.iter_mut().enumerate() {
                let terms = nodes.iter().zip(&weights[k * n..]);
                *point = terms.map(|(node, weight)| *weight * q[*node as usize]).sum();
            }
        }
    }
}

/// Four numbers for each node, which fill registers where three do not, and two sums, so that the
/// processor need not wait for each term before it adds the next.
fn blend_of<const N: usize>(nodes: &[u32], weights: &[f64], q: &[DVec3], points: &mut [DVec3]) {
    let mut here = [[0.0; 4]; N];
    for (here, node) in here.iter_mut().zip(nodes) {
        let DVec3 { x, y, z } = q[*node as usize];
        *here = [x, y, z, 0.0];
    }
    for (point, weights) in points.iter_mut().zip(weights.as_chunks::<N>().0) {
        let mut sums = [[0.0; 4]; 2];
        for k in 0..N {
            for i in 0..4 {
                sums[k % 2][i] += weights[k] * here[k][i];
            }
        }
        let [even, odd] = sums;
        *point = DVec3::new(even[0] + odd[0], even[1] + odd[1], even[2] + odd[2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point that follows as many nodes as told, from the one of that number on.
    fn push(combinations: &mut Combinations, first: u32, count: u32) {
        let nodes: Vec<u32> = (first..first + count).collect();
        let weights: Vec<f64> = nodes.iter().map(|node| 1.0 / f64::from(node + 1)).collect();
        combinations.push(&nodes, &weights);
    }

    #[test]
    fn points_are_the_sums_of_their_nodes_however_these_are_kept() {
        let q: Vec<DVec3> = (0..64).map(|k| DVec3::new(1.0, f64::from(k), 0.5)).collect();
        let mut combinations = Combinations::default();
        for count in [1, 3, 4, 8, 9, 10, 20, 27] {
            (0..700).for_each(|k| push(&mut combinations, k / 50, count));
        }
        let mut points = Vec::new();
        combinations.interpolate(&q, &mut points);
        assert_eq!(points.len(), 5600);
        for (k, point) in points.iter().enumerate() {
            let (nodes, weights) = combinations.row(k);
            let sum: DVec3 = nodes.iter().zip(weights).map(|(n, w)| *w * q[*n as usize]).sum();
            // Sums of at most 27 terms below 1 in another order.
            assert!((*point - sum).abs().max_element() < 1e-13, "{k}: {point} for {sum}");
        }
        assert!(combinations.nodes_below(40) && !combinations.nodes_below(39));
    }

    #[test]
    fn a_list_of_nodes_is_kept_once_for_all_points_in_a_row() {
        let mut combinations = Combinations::default();
        (0..1000).for_each(|_| push(&mut combinations, 5, 10));
        assert_eq!(combinations.nodes.len(), 10);
    }
}
