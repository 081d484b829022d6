//! Which bodies may touch.

use crate::geometry::{Aabb, Tree, TreeBuilder};

/// Pairs of boxes that overlap, and a tree that is kept from step to step.
///
/// The tree is refitted while that serves, and built anew when searching it has come to cost half as much again as when
/// it was built: n log n for n boxes, spread out or heaped.
/// Sweep and prune would sort along one axis, and boxes of a heap overlap along any axis.
///
/// ```
/// use glam::DVec3;
/// use pliant::contact::BodyPairs;
/// use pliant::geometry::Aabb;
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

/// So much more may a search cost before the tree is built anew.
const REBUILD_COST: f64 = 1.5;

impl BodyPairs {
    /// All pairs of boxes that overlap, the smaller number first, rising.
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
