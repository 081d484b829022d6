//! A bounding-volume tree over boxes that move.

mod build;
mod pairs;
mod search;
mod stack;

use super::Aabb;

pub use build::TreeBuilder;

/// A binary tree over `n` boxes, each of which is a leaf: what overlaps, what is near, what a ray meets.
///
/// It is built once, from boxes in which things are near each other that stay near each other, and
/// [refitted](Tree::refit) when they move. The same boxes give the same tree and the same order of answers.
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
    /// Depth first: the first child of a branch follows it, the second follows all of the first.
    nodes: Vec<Node>,
}

/// A leaf, or a branch of two.
#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    /// One past the last node below this one, which is the next to visit if this one is of no interest.
    end: u32,
    /// The box of a leaf; of a branch, nothing of interest.
    item: u32,
}

impl Tree {
    /// The tree of these boxes: fewer than 2³¹.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self::default();
        TreeBuilder::default().build(boxes, &mut tree);
        tree
    }

    /// Number of boxes.
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The box around all.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |node| node.bounds)
    }

    /// Takes the boxes as they are now, without building anew: they keep their places in the tree.
    ///
    /// # Panics
    /// If there are fewer boxes than when it was built.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        for index in (0..self.nodes.len()).rev() {
            let bounds = match self.children(index) {
                None => boxes[self.nodes[index].item as usize],
                Some([a, b]) => self.nodes[a].bounds.union(&self.nodes[b].bounds),
            };
            self.nodes[index].bounds = bounds;
        }
    }

    /// Sum of the half areas of the boxes of all branches, in m²: a search visits about so many of them.
    pub fn cost(&self) -> f64 {
        let branches = (0..self.nodes.len()).filter(|index| self.children(*index).is_some());
        branches.map(|index| self.nodes[index].bounds.half_area()).sum()
    }

    /// The two nodes of a branch.
    #[inline]
    fn children(&self, index: usize) -> Option<[usize; 2]> {
        let first = index + 1;
        let branch = self.nodes[index].end as usize > first;
        branch.then(|| [first, self.nodes[first].end as usize])
    }
}
