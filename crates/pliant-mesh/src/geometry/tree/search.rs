//! Queries: overlap with a box, nearest item, ray cast.

use glam::DVec3;

use super::Tree;
use super::stack::{MAX_DEPTH, Stack};
use crate::geometry::Aabb;

impl Tree {
    /// Calls `visit` for every box that overlaps `bounds`.
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

    /// Returns the item nearest to a point and its squared distance, if that is below `max_squared`, in m²; of
    /// equally near items, the first one found.
    ///
    /// `distance_squared` returns the squared distance of one item, which must not be less than that of its box. An
    /// item with infinite distance is ignored.
    #[inline]
    pub fn nearest(
        &self,
        point: DVec3,
        max_squared: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let (mut best, mut least) = (None, max_squared);
        let bound = |index: usize| self.nodes[index].bounds.distance_squared(point);
        let mut stack: Stack<_, MAX_DEPTH> =
            Stack::new((0, self.nodes.first().map_or(f64::INFINITY, |_| bound(0))));
        while let Some((index, near)) = stack.pop() {
            // Written so that a NaN distance is not promising.
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

    /// Calls `visit` for every item whose box a ray meets, with the remaining reach in units of `direction`. `visit`
    /// returns the new reach, which is shorter if the ray ends at the item.
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
