//! What is nearest to a point.

use glam::DVec3;

use super::triangle::{nearest_point, unit_normal};
use super::{Content, Node, Stack, SurfaceTree};

/// The point of a surface nearest to some point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The triangle it lies on; the first in the tree of those that share it.
    pub triangle: u32,
    /// Where it is.
    pub point: DVec3,
    /// How far it is.
    pub distance: f64,
    /// Unit normal of the triangle; zero if it has no area.
    pub normal: DVec3,
}

impl SurfaceTree {
    /// The nearest point of the surface.
    pub fn nearest(&self, point: DVec3) -> Nearest {
        let (slot, nearest) = self.nearest_within(point, f64::INFINITY).unwrap_or_else(|| {
            // Only a query that is not finite finds nothing.
            (0, self.corners[0][0])
        });
        Nearest {
            triangle: self.triangles[slot],
            point: nearest,
            distance: nearest.distance(point),
            normal: unit_normal(&self.corners[slot]).unwrap_or(DVec3::ZERO),
        }
    }

    /// Distance to the surface, or `limit` if it is not below that: cheaper than the nearest point
    /// where only nearness matters.
    pub fn distance_up_to(&self, point: DVec3, limit: f64) -> f64 {
        self.nearest_within(point, limit).map_or(limit, |(_, nearest)| nearest.distance(point))
    }

    /// Place in the order of the leaves and nearest point of the nearest triangle within `limit`.
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
                }
            }
        }
        best
    }
}

fn box_distance_squared(node: &Node, point: DVec3) -> f64 {
    (node.low - point).max(point - node.high).max(DVec3::ZERO).length_squared()
}
