//! Intersections of rays with a surface.

use glam::DVec3;
use pliant_mesh::geometry::ray_triangle;

use super::SurfaceTree;

/// An intersection of a ray with a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The triangle.
    pub triangle: u32,
    /// The distance along the ray, in units of its direction.
    pub distance: f64,
}

impl SurfaceTree {
    /// Returns the first triangle hit from `point` along `direction`, from either side, at most `reach` times the
    /// length of `direction` away.
    pub fn along(&self, point: DVec3, direction: DVec3, reach: f64) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.visit(point, direction, reach, |hit| {
            let closer = best.is_none_or(|found| hit.distance < found.distance);
            if closer {
                best = Some(hit);
            }
            best.map_or(reach, |found| found.distance)
        });
        best
    }

    /// Returns all intersections of the segment between two points with the triangles, as fractions of its length in
    /// ascending order.
    pub fn crossings(&self, from: DVec3, to: DVec3) -> Vec<f64> {
        let mut parts = Vec::new();
        self.visit(from, to - from, 1.0, |hit| {
            parts.push(hit.distance);
            1.0
        });
        parts.sort_unstable_by(f64::total_cmp);
        parts
    }

    /// The triangles that the segment between two points crosses.
    pub(crate) fn crossed_triangles(&self, from: DVec3, to: DVec3) -> Vec<u32> {
        let mut triangles = Vec::new();
        self.visit(from, to - from, 1.0, |hit| {
            triangles.push(hit.triangle);
            1.0
        });
        triangles
    }

    /// Calls `found` for every triangle hit within reach; `found` returns the new reach.
    fn visit(&self, point: DVec3, direction: DVec3, reach: f64, mut found: impl FnMut(Hit) -> f64) {
        self.tree.along_ray(point, direction, reach, |leaf, mut reach| {
            for triangle in self.leaves.row(leaf as usize) {
                let hit = ray_triangle(point, direction, triangle.corners);
                if let Some((distance, _)) = hit.filter(|(distance, _)| *distance <= reach) {
                    reach = found(Hit { triangle: triangle.index, distance });
                }
            }
            reach
        });
    }
}
