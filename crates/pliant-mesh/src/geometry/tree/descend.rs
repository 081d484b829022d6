//! Values at the nodes of a tree, and descents that use them.

use super::Tree;
use crate::geometry::Aabb;

impl Tree {
    /// Returns a value for every node: that of its item for a leaf, the sum of those of its children for a branch. Every
    /// sum is passed with its box to `finish`.
    pub fn sums<T: Copy + Default>(
        &self,
        of_item: impl Fn(u32) -> T,
        sum: impl Fn(&T, &T) -> T,
        finish: impl Fn(T, &Aabb) -> T,
    ) -> Vec<T> {
        let mut values = vec![T::default(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let value = match self.children(index) {
                None => of_item(node.item),
                Some([a, b]) => sum(&values[a], &values[b]),
            };
            values[index] = finish(value, &node.bounds);
        }
        values
    }

    /// Calls `visit` with nodes, parents before children, and the item of each leaf. The nodes below a branch are
    /// skipped if `visit` returns false.
    #[inline]
    pub fn descend(&self, mut visit: impl FnMut(usize, Option<u32>) -> bool) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            let is_leaf = node.end as usize == index + 1;
            let deeper = visit(index, is_leaf.then_some(node.item));
            index = if deeper { index + 1 } else { node.end as usize };
        }
    }
}
