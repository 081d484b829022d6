//! Builds the tree by the surface area heuristic.
//!
//! The surface area heuristic (Goldsmith & Salmon 1987), in bins: a node is visited about as often as its box is large,
//! so the division with the smallest sum of box area times number of triangles is chosen.

use glam::DVec3;

use super::winding::Moment;
use super::{Content, Node, SurfaceTree};

/// The largest number of triangles in a leaf.
const LEAF: usize = 4;

/// Builds the tree of these triangles.
pub(super) fn tree(corners: Vec<[DVec3; 3]>) -> SurfaceTree {
    let middles: Vec<DVec3> = corners.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    let mut builder = Builder { corners: &corners, middles: &middles, nodes: Vec::new() };
    builder.add(&mut order, 0, 0);
    let nodes = builder.nodes;
    let sorted: Vec<_> = order.iter().map(|triangle| corners[*triangle as usize]).collect();
    let moments = moments(&nodes, &sorted);
    SurfaceTree { nodes, moments, corners: sorted, triangles: order }
}

struct Builder<'a> {
    corners: &'a [[DVec3; 3]],
    middles: &'a [DVec3],
    nodes: Vec<Node>,
}

impl Builder<'_> {
    /// Adds the subtree of the triangles `order`, whose leaves begin at `start` in leaf order.
    fn add(&mut self, order: &mut [u32], start: usize, depth: usize) {
        let (low, high) = self.bounds(order);
        let end = (start + order.len()) as u32;
        let leaf = Content::Leaf { start: start as u32, end };
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, content: leaf });
        if order.len() <= LEAF {
            return;
        }
        let first = self.divide(order, depth);
        let (left, right) = order.split_at_mut(first);
        self.add(left, start, depth + 1);
        self.nodes[index].content = Content::Branch { right: self.nodes.len() as u32 };
        self.add(right, start + first, depth + 1);
    }

    fn bounds(&self, order: &[u32]) -> (DVec3, DVec3) {
        let corners = order.iter().flat_map(|triangle| self.corners[*triangle as usize]);
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        corners.fold(start, |(low, high), x| (low.min(x), high.max(x)))
    }

    /// Sorts the triangles of the first part to the front and returns their number: at least one, and not all.
    fn divide(&self, order: &mut [u32], depth: usize) -> usize {
        let middle = |triangle: &u32| self.middles[*triangle as usize];
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) =
            order.iter().map(middle).fold(start, |(low, high), x| (low.min(x), high.max(x)));
        let axis = (high - low).max_position();
        let bins = Bins { low: low[axis], width: (high - low)[axis], axis };
        if depth < HEURISTIC_DEPTH
            && let Some(last) = self.best_bin(order, &bins)
        {
            let key = |triangle: &u32| (bins.number(middle(triangle)) > last, *triangle);
            order.sort_unstable_by_key(key);
            return order.partition_point(|triangle| !key(triangle).0);
        }
        let half = order.len() / 2;
        let compare = |a: &u32, b: &u32| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(b));
        order.select_nth_unstable_by(half, compare);
        half
    }

    /// The last bin of the first part of the cheapest division; `None` if all triangles are in one bin.
    fn best_bin(&self, order: &[u32], bins: &Bins) -> Option<usize> {
        let mut boxes = [Bounds::EMPTY; BINS];
        for triangle in order {
            let number = bins.number(self.middles[*triangle as usize]);
            boxes[number].add(&self.corners[*triangle as usize]);
        }
        // A sweep from the back and one from the front give the boxes on both sides of each of the divisions.
        let mut behind = [Bounds::EMPTY; BINS];
        for bin in (0..BINS - 1).rev() {
            behind[bin] = behind[bin + 1].with(&boxes[bin + 1]);
        }
        let (mut before, mut best) = (Bounds::EMPTY, None);
        for bin in 0..BINS - 1 {
            before = before.with(&boxes[bin]);
            let cost = before.cost() + behind[bin].cost();
            let divides = before.count > 0 && behind[bin].count > 0;
            if divides && best.is_none_or(|(_, least)| cost < least) {
                best = Some((bin, cost));
            }
        }
        best.map(|(bin, _)| bin)
    }
}

/// The number of bins.
const BINS: usize = 16;
/// Below this depth triangles are halved by number, which bounds the depth of the tree.
const HEURISTIC_DEPTH: usize = 48;

/// Equal intervals along the longest side of the box of the centroids.
struct Bins {
    low: f64,
    width: f64,
    axis: usize,
}

impl Bins {
    fn number(&self, middle: DVec3) -> usize {
        let part = (middle[self.axis] - self.low) / self.width;
        // 0 / 0 = NaN, where the width is zero, is cast to 0.
        ((part * BINS as f64) as usize).min(BINS - 1)
    }
}

/// A box around some triangles, and their number.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: DVec3,
    high: DVec3,
    count: usize,
}

impl Bounds {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY, count: 0 };

    fn add(&mut self, corners: &[DVec3; 3]) {
        for corner in corners {
            self.low = self.low.min(*corner);
            self.high = self.high.max(*corner);
        }
        self.count += 1;
    }

    fn with(&self, other: &Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Self { low, high, count: self.count + other.count }
    }

    /// Half the surface area times the number of triangles.
    fn cost(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let side = self.high - self.low;
        (side.x * side.y + side.y * side.z + side.z * side.x) * self.count as f64
    }
}

/// The moments of all nodes, children before parents.
fn moments(nodes: &[Node], corners: &[[DVec3; 3]]) -> Vec<Moment> {
    let mut moments = vec![Moment::default(); nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let mut moment = match node.content {
            Content::Leaf { start, end } => {
                Moment::of_triangles(&corners[start as usize..end as usize])
            }
            Content::Branch { right } => moments[index + 1].with(&moments[right as usize]),
        };
        moment.reach_to(node.low, node.high);
        moments[index] = moment;
    }
    moments
}
