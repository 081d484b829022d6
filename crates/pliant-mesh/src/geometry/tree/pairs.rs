//! Overlapping pairs of boxes of two trees, or within one tree.

use super::Tree;
use super::stack::{MAX_DEPTH, Stack};

impl Tree {
    /// Calls `visit` once for every pair of overlapping boxes of this tree and another.
    #[inline]
    pub fn pairs(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        if !(self.is_empty() || other.is_empty()) {
            self.cross(0, other, 0, &mut visit);
        }
    }

    /// Calls `visit` once for every pair of different overlapping boxes of this tree, in either order.
    #[inline]
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        // Any two leaves are on different sides of exactly one branch.
        for index in 0..self.nodes.len() {
            if let Some([a, b]) = self.children(index) {
                self.cross(a, self, b, &mut visit);
            }
        }
    }

    /// Visits the pairs below two nodes, descending into the larger node first.
    #[inline]
    fn cross(&self, a: usize, other: &Self, b: usize, visit: &mut impl FnMut(u32, u32)) {
        if !self.nodes[a].bounds.overlaps(&other.nodes[b].bounds) {
            return;
        }
        let mut stack: Stack<_, { 2 * MAX_DEPTH }> = Stack::new([a as u32, b as u32]);
        while let Some([a, b]) = stack.pop() {
            let (node, other_node) = (&self.nodes[a as usize], &other.nodes[b as usize]);
            if !node.bounds.overlaps(&other_node.bounds) {
                continue;
            }
            let larger = node.bounds.half_area() >= other_node.bounds.half_area();
            let (parts, other_parts) = (self.children(a as usize), other.children(b as usize));
            if let Some([first, second]) = parts
                && (larger || other_parts.is_none())
            {
                stack.push([second as u32, b]);
                stack.push([first as u32, b]);
            } else if let Some([first, second]) = other_parts {
                stack.push([a, second as u32]);
                stack.push([a, first as u32]);
            } else {
                visit(node.item, other_node.item);
            }
        }
    }
}
