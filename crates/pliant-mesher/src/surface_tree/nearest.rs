//! The nearest point of a surface.

use glam::DVec3;
use pliant_mesh::geometry::nearest_on_triangle;

use super::{SurfaceTree, Triangle};

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
        let (triangle, nearest) = self.nearest_within(point, f64::INFINITY).unwrap_or_else(|| {
            // The search fails only if the query point is not finite.
            let first = &self.leaves.items()[0];
            (first, first.corners[0])
        });
        Nearest {
            triangle: triangle.index,
            point: nearest,
            distance: nearest.distance(point),
            normal: unit_normal(&triangle.corners).unwrap_or(DVec3::ZERO),
        }
    }

    /// Returns the distance to the surface, or `limit` if the surface is not closer than that: cheaper than
    /// [`Self::nearest`].
    pub fn distance_up_to(&self, point: DVec3, limit: f64) -> f64 {
        self.nearest_within(point, limit).map_or(limit, |(_, nearest)| nearest.distance(point))
    }

    /// The nearest triangle within `limit`, and its nearest point.
    fn nearest_within(&self, point: DVec3, limit: f64) -> Option<(&Triangle, DVec3)> {
        let (mut best, mut best_squared) = (None, limit * limit);
        self.tree.nearest(point, best_squared, |leaf| {
            for triangle in self.leaves.row(leaf as usize) {
                let nearest = nearest_on_triangle(point, triangle.corners);
                let squared = nearest.distance_squared(point);
                if squared < best_squared {
                    (best, best_squared) = (Some((triangle, nearest)), squared);
                }
            }
            best_squared
        });
        best
    }
}

/// The unit normal of an anticlockwise triangle; `None` if the triangle has no area.
fn unit_normal([a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    // Divided by its largest component first: the squared length of a normal of micrometre triangles could underflow to
    // zero.
    let size = normal.abs().max_element();
    (size > 0.0).then(|| (normal / size).normalize())
}
