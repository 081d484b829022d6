//! The nearest point of a surface.

use glam::DVec3;

use super::triangle::{nearest_point, unit_normal};
use super::{Content, Node, Stack, SurfaceTree};

/// The point of a surface nearest to a query point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The triangle it lies on; if several share it, the first in the tree.
    pub triangle: u32,
    /// Its position.
    pub point: DVec3,
    /// Its distance to the query point.
    pub distance: f64,
    /// The unit normal of the triangle; zero if the triangle has no area.
    pub normal: DVec3,
}

impl SurfaceTree {
    /// Returns the nearest point of the surface.
    pub fn nearest(&self, point: DVec3) -> Nearest {
        let (slot, nearest) = self.nearest_within(point, f64::INFINITY).unwrap_or_else(|| {
            // The search fails only if the query point is not finite.
            (0, self.corners[0][0])
        });
        Nearest {
            triangle: self.triangles[slot],
            point: nearest,
            distance: nearest.distance(point),
            normal: unit_normal(&self.corners[slot]).unwrap_or(DVec3::ZERO),
        }
    }

    /// Returns the distance to the surface, or `limit` if the surface is not closer than that: cheaper than
    /// [`Self::nearest`].
    pub fn distance_up_to(&self, point: DVec3, limit: f64) -> f64 {
        self.nearest_within(point, limit).map_or(limit, |(_, nearest)| nearest.distance(point))
    }

    /// The nearest triangle within `limit`, by its index in leaf order, and its nearest point.
    fn nearest_within(&self, point: DVec3, limit: f64) -> Option<(usize, DVec3)> {
        let (mut best, mut best_squared) = (None, limit * limit);
        let mut stack = Stack::new((0u32, box_distance_squared(&self.nodes[0], point)));
        while let Some((index, bound)) = stack.pop() {
            if bound >= best_squared {
                continue;
            }
            match self.nodes[index as usize].content {
                Content::Leaf { start, end } => {
                    for slot in start as usize..end as usize {
                        let nearest = nearest_point(&self.corners[slot], point);
                        let squared = nearest.distance_squared(point);
                        if squared < best_squared {
                            (best, best_squared) = (Some((slot, nearest)), squared);
                        }
                    }
                }
                Content::Branch { right } => {
                    let near = |child: u32| {
                        (child, box_distance_squared(&self.nodes[child as usize], point))
                    };
                    let (a, b) = (near(index + 1), near(right));
                    let (first, second) = if a.1 <= b.1 { (a, b) } else { (b, a) };
                    stack.push(second);
                    stack.push(first);
                    // The nearer child is visited first, so that its result prunes the other one.
                }
            }
        }
        best
    }
}

fn box_distance_squared(node: &Node, point: DVec3) -> f64 {
    (node.low - point).max(point - node.high).max(DVec3::ZERO).length_squared()
}
