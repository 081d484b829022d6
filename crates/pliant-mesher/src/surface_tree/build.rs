//! Building the tree: halves by the middle of the triangles along the longest side.

use glam::DVec3;

use super::winding::Moment;
use super::{Content, Node, SurfaceTree};

/// Most triangles of a leaf.
const LEAF: usize = 4;

/// The tree of these triangles.
pub(super) fn tree(corners: Vec<[DVec3; 3]>) -> SurfaceTree {
    let middles: Vec<DVec3> = corners.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    let mut builder = Builder { corners: &corners, middles: &middles, nodes: Vec::new() };
    builder.add(&mut order, 0);
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
    /// Adds the tree of `order`, which begins at `start` in the order of the leaves.
    fn add(&mut self, order: &mut [u32], start: usize) {
        let (low, high) = self.bounds(order);
        let end = (start + order.len()) as u32;
        let leaf = Content::Leaf { start: start as u32, end };
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, content: leaf });
        if order.len() <= LEAF {
            return;
        }
        let half = order.len() / 2;
        self.divide(order, half);
        let (left, right) = order.split_at_mut(half);
        self.add(left, start);
        self.nodes[index].content = Content::Branch { right: self.nodes.len() as u32 };
        self.add(right, start + half);
    }

    fn bounds(&self, order: &[u32]) -> (DVec3, DVec3) {
        let corners = order.iter().flat_map(|triangle| self.corners[*triangle as usize]);
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        corners.fold(start, |(low, high), x| (low.min(x), high.max(x)))
    }

    /// Puts the `half` triangles that lie first along the longest side of their middles first.
    fn divide(&self, order: &mut [u32], half: usize) {
        let middle = |triangle: &u32| self.middles[*triangle as usize];
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) =
            order.iter().map(middle).fold(start, |(low, high), x| (low.min(x), high.max(x)));
        let axis = (high - low).max_position();
        let compare = |a: &u32, b: &u32| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(b));
        order.select_nth_unstable_by(half, compare);
    }
}

/// Moments of all nodes, children before parents.
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
