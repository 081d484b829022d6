//! Intersections of rays with a surface.

use glam::DVec3;

use super::triangle::ray_distance;
use super::{Content, Node, Stack, SurfaceTree};

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

    /// Calls `found` for every triangle hit within reach; `found` returns the new reach.
    fn visit(&self, point: DVec3, direction: DVec3, reach: f64, mut found: impl FnMut(Hit) -> f64) {
        let inverse = direction.recip();
        let mut reach = reach;
        let mut stack = Stack::new(0u32);
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index as usize];
            if !meets_box(node, point, inverse, reach) {
                continue;
            }
            match node.content {
                Content::Leaf { start, end } => {
                    for slot in start as usize..end as usize {
                        let distance = ray_distance(&self.corners[slot], point, direction);
                        let within = distance.filter(|t| *t >= 0.0 && *t <= reach);
                        if let Some(distance) = within {
                            reach = found(Hit { triangle: self.triangles[slot], distance });
                        }
                    }
                }
                Content::Branch { right } => {
                    stack.push(right);
                    stack.push(index + 1);
                }
            }
        }
    }
}

/// The slab test. If the ray lies in the plane of a face, 0 · ∞ = NaN, which min and max ignore, and the box counts as
/// hit.
fn meets_box(node: &Node, point: DVec3, inverse: DVec3, reach: f64) -> bool {
    let (a, b) = ((node.low - point) * inverse, (node.high - point) * inverse);
    let (mut enter, mut leave) = (0.0f64, reach);
    for axis in 0..3 {
        enter = enter.max(a[axis].min(b[axis]));
        leave = leave.min(a[axis].max(b[axis]));
    }
    // A tolerance of a few units in the last place, for flat boxes.
    enter <= leave * (1.0 + 1e-14)
}
