//! A bounding-volume hierarchy over moving boxes.

mod build;
mod descend;
mod pairs;
mod search;
mod stack;

use super::Aabb;

pub use build::TreeBuilder;

/// A binary tree with `n` boxes as its leaves, for overlap, nearest-point and ray queries.
///
/// Build it once, from boxes in a configuration where neighbours stay neighbours, and [refit](Tree::refit) it when
/// they move. The same boxes give the same tree and the same order of results.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::{Aabb, Tree};
///
/// let cube = |x: f64| Aabb::of([DVec3::ZERO, DVec3::ONE]).inflated(0.1 * x);
/// let mut boxes: Vec<Aabb> = (0..5).map(|k| cube(f64::from(k))).collect();
/// let mut tree = Tree::new(&boxes);
/// let mut met = Vec::new();
/// tree.overlapping(&cube(0.0), |item| met.push(item));
/// assert_eq!(met.len(), 5);
///
/// boxes[3] = Aabb::of([DVec3::splat(7.0)]);
/// tree.refit(&boxes);
/// let nearest = tree.nearest(DVec3::splat(9.0), 25.0, |item| boxes[item as usize].distance_squared(DVec3::splat(9.0)));
/// assert_eq!(nearest, Some((3, 12.0)));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// In depth-first order: the first child of a branch follows it, the second follows the whole subtree of the
    /// first.
    nodes: Vec<Node>,
}

/// A leaf, or a branch with two children.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    /// One past the last node of this subtree: the next node to visit if this subtree is skipped.
    end: u32,
    /// Index of the box of a leaf; unused in a branch.
    item: u32,
}

impl Tree {
    /// Builds the tree of these boxes, fewer than 2³¹.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self::default();
        TreeBuilder::default().build(boxes, &mut tree);
        tree
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }

    /// Returns true if there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the bounds of all boxes.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |node| node.bounds)
    }

    /// Updates the bounds for moved boxes without rebuilding: the structure of the tree stays the same.
    ///
    /// # Panics
    /// If there are fewer boxes than when the tree was built.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        for index in (0..self.nodes.len()).rev() {
            let bounds = match self.children(index) {
                None => boxes[self.nodes[index].item as usize],
                Some([a, b]) => self.nodes[a].bounds.union(&self.nodes[b].bounds),
            };
            self.nodes[index].bounds = bounds;
        }
    }

    /// Returns the sum of the half areas of all branch boxes, in m²: a measure of the cost of a query.
    pub fn cost(&self) -> f64 {
        let branches = (0..self.nodes.len()).filter(|index| self.children(*index).is_some());
        branches.map(|index| self.nodes[index].bounds.half_area()).sum()
    }

    /// The two children of a branch; `None` for a leaf.
    #[inline]
    fn children(&self, index: usize) -> Option<[usize; 2]> {
        let first = index + 1;
        let branch = self.nodes[index].end as usize > first;
        branch.then(|| [first, self.nodes[first].end as usize])
    }
}
