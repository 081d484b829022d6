//! The broad phase: pairs of bodies whose boxes overlap.

use pliant_mesh::geometry::{Aabb, Tree, TreeBuilder};

/// Pairs of overlapping boxes, and a tree that is kept from step to step.
///
/// The tree is refitted, and rebuilt when the cost of a search has grown by half since the last build: n log n for n boxes,
/// spread out or in a heap. Sweep and prune would sort along one axis, but boxes of a heap overlap along every axis.
///
/// ```
/// use glam::DVec3;
/// use pliant::internals::BodyPairs;
/// use pliant_mesh::geometry::Aabb;
///
/// let cube = |x: f64| Aabb::of([DVec3::ZERO, DVec3::ONE].map(|corner| corner + DVec3::X * x));
/// let mut pairs = BodyPairs::default();
/// assert_eq!(pairs.find(&[cube(0.0), cube(5.0), cube(0.5), cube(4.5)]), [[0, 2], [1, 3]]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct BodyPairs {
    tree: Tree,
    builder: TreeBuilder,
    /// Cost of the tree when it was built.
    cost: f64,
    pairs: Vec<[u32; 2]>,
}

/// Cost of a search over its cost after the last build, above which the tree is rebuilt.
const REBUILD_COST: f64 = 1.5;

impl BodyPairs {
    /// All pairs of overlapping boxes, the smaller index first, in ascending order.
    pub fn find(&mut self, boxes: &[Aabb]) -> &[[u32; 2]] {
        self.fit(boxes);
        self.pairs.clear();
        self.tree.self_pairs(|a, b| self.pairs.push([a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        &self.pairs
    }

    fn fit(&mut self, boxes: &[Aabb]) {
        if self.tree.len() == boxes.len() {
            self.tree.refit(boxes);
            if self.tree.cost() <= REBUILD_COST * self.cost {
                return;
            }
        }
        self.builder.build(boxes, &mut self.tree);
        self.cost = self.tree.cost();
    }
}
