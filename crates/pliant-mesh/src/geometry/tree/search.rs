//! What of a tree overlaps a box, is nearest to a point, is met by a ray.

use glam::DVec3;

use super::Tree;
use super::stack::{MOST_DEPTH, Stack};
use crate::geometry::Aabb;

impl Tree {
    /// Hands every box that overlaps this one to `visit`.
    #[inline]
    pub fn overlapping(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if !node.bounds.overlaps(bounds) {
                index = node.end as usize;
                continue;
            }
            index += 1;
            if node.end as usize == index {
                visit(node.item);
            }
        }
    }

    /// The nearest item to a point and the square of its distance, if that is below `most_squared`, in m²;
    /// the first that is found of several.
    ///
    /// `distance_squared` tells that of one item, which is never less than that of its box. Infinity leaves it out.
    #[inline]
    pub fn nearest(
        &self,
        point: DVec3,
        most_squared: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let (mut best, mut least) = (None, most_squared);
        let bound = |index: usize| self.nodes[index].bounds.distance_squared(point);
        let mut stack: Stack<_, MOST_DEPTH> =
            Stack::new((0, self.nodes.first().map_or(f64::INFINITY, |_| bound(0))));
        while let Some((index, near)) = stack.pop() {
            // What is no number is not near.
            let promising = near < least;
            if !promising {
                continue;
            }
            let Some([a, b]) = self.children(index) else {
                let squared = distance_squared(self.nodes[index].item);
                if squared < least {
                    (best, least) = (Some((self.nodes[index].item, squared)), squared);
                }
                continue;
            };
            let (a, b) = ((a, bound(a)), (b, bound(b)));
            let (first, second) = if a.1 <= b.1 { (a, b) } else { (b, a) };
            stack.push(second);
            stack.push(first);
        }
        best
    }

    /// Hands every item whose box a ray meets to `visit`, with the reach left, in units of `direction`;
    /// `visit` tells the new reach, which is shorter if the ray ends there.
    #[inline]
    pub fn along_ray(
        &self,
        origin: DVec3,
        direction: DVec3,
        reach: f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let (inverse, mut reach, mut index) = (direction.recip(), reach, 0);
        while let Some(node) = self.nodes.get(index) {
            if !node.bounds.meets_ray(origin, inverse, reach) {
                index = node.end as usize;
                continue;
            }
            index += 1;
            if node.end as usize == index {
                reach = visit(node.item, reach);
            }
        }
    }
}
