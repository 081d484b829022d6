//! The nearest point of a surface to a vertex.

use glam::DVec3;

use crate::contact::detect::collider::collider::{Collider, FLUSH_GAP};
use crate::contact::detect::contact::Contact;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::point_triangle;

/// Width of the rim around a side within which a vertex still touches the side, in spacings.
pub(super) const RIM_WIDTH: f64 = 0.05;

/// Distance over the spacing below which the line to the nearest point has no direction.
pub(super) const NO_DIRECTION: f64 = 1e-9;

/// Gap and travel, over the spacing, of two bodies that may meet within the step though they move alike at its start: a stack that falls as a whole is stopped
/// from below. Bodies at rest do not travel that far.
const STACK_GAP: f64 = 0.02;
const STACK_TRAVEL: f64 = 0.005;

/// True if points at this gap, in m, may meet because one of them is stopped. Both travel by `ways` in the step.
pub(super) fn can_be_stopped(gap: f64, ways: [DVec3; 2], spacing: f64) -> bool {
    let shortest = ways[0].length_squared().min(ways[1].length_squared());
    gap < STACK_GAP * spacing && shortest > (STACK_TRAVEL * spacing).powi(2)
}

/// A vertex in motion that may touch a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingVertex {
    pub(super) vertex: u32,
    /// Its position, in m, and velocity, in m/s.
    pub(super) x: DVec3,
    pub(super) v: DVec3,
}

/// A point of a surface, as seen from a vertex near it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SurfacePoint {
    pub(super) triangle: u32,
    pub(super) weights: [f64; 3],
    /// Unit vector out of the surface.
    pub(super) normal: DVec3,
    /// Distance along the normal, negative inside, in m.
    pub(super) gap: f64,
}

impl SurfacePoint {
    pub(super) fn point(&self, on: &Collider) -> DVec3 {
        let [a, b, c] = on.corners(self.triangle);
        self.weights[0] * a + self.weights[1] * b + self.weights[2] * c
    }

    /// The same point, with the normal of its triangle instead of the line to the vertex.
    pub(super) fn flattened(self, x: DVec3, on: &Collider) -> Self {
        let normal = on.triangle_normal(self.triangle);
        Self { normal, gap: normal.dot(x - self.point(on)), ..self }
    }

    /// True if a vertex is above or below the point. A vertex that has slid off beside a side does not touch it; one that bulges
    /// slightly over its rim does.
    pub(super) fn has_above(&self, x: DVec3, spacing: f64, on: &Collider) -> bool {
        self.gap.abs() + RIM_WIDTH * spacing >= self.aside(x, on)
    }

    /// Distance of a position from the line through the point along its normal, in m.
    pub(super) fn aside(&self, x: DVec3, on: &Collider) -> f64 {
        (x - self.point(on) - self.gap * self.normal).length()
    }
}

impl MovingVertex {
    /// The contact at a point of the surface, if the vertex touches or will touch it.
    pub(super) fn contact(
        &self,
        place: &SurfacePoint,
        on: &Collider,
        thickness: f64,
    ) -> Option<Contact> {
        let corners = on.facets().triangles()[place.triangle as usize];
        let second = Feature::triangle(corners, place.weights);
        let gap = place.gap - thickness;
        let flush = FLUSH_GAP * on.facets().spacing();
        // Relative to the surface the vertex ends at x + slip. It enters only if it is behind all triangles there.
        let enters =
            |slip: DVec3| gap + place.normal.dot(slip) < 0.0 && is_behind(on, place, self.x + slip);
        let (own, surface) = (on.h() * self.v, on.h() * second.blend(on.v()));
        let may_stop = || can_be_stopped(gap, [own, surface], on.facets().spacing());
        let enters_if_stopped = || may_stop() && (enters(own) || enters(-surface));
        let touches = gap < flush || enters(own - surface) || enters_if_stopped();
        let first = Feature::vertex(self.vertex);
        touches.then_some(Contact { first, second, normal: place.normal, gap })
    }
}

/// The nearest point within reach on the allowed triangles; `None` at an open border, where inside and outside are not
/// defined.
pub(super) fn nearest_point(
    x: DVec3,
    on: &Collider,
    reach: f64,
    allowed: impl Fn(u32) -> bool,
) -> Option<SurfacePoint> {
    let solid = |triangle: u32| on.facets().is_solid(triangle) && allowed(triangle);
    let (triangle, _) = on.tree().nearest(x, reach * reach, |triangle| {
        if solid(triangle) { point_triangle(x, on.corners(triangle)).1 } else { f64::INFINITY }
    })?;
    let corners = on.corners(triangle);
    let (weights, _) = point_triangle(x, corners);
    let line = x - (weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2]);
    let outward = on.facets().normal_at(on.x(), triangle, weights)?;
    // The sign of the distance comes from the outward direction at the nearest point, its size and direction from the line to it.
    let side = if outward.dot(line) < 0.0 { -1.0 } else { 1.0 };
    let distance = line.length();
    let clear = distance > NO_DIRECTION * on.facets().spacing();
    let normal = if clear { side * line / distance } else { outward };
    let known = normal != DVec3::ZERO;
    known.then_some(SurfacePoint { triangle, weights, normal, gap: side * distance })
}

/// True if a position is behind all triangles that share the point, where they are now. A vertex that passes beside an edge is
/// not, though it passes below the plane across the line to its nearest point.
fn is_behind(on: &Collider, place: &SurfacePoint, x: DVec3) -> bool {
    on.facets().sharing(place.triangle, place.weights).all(|triangle| {
        let behind = on.triangle_normal(triangle).dot(x - on.corners(triangle)[0]) < 0.0;
        behind || !on.facets().is_solid(triangle)
    })
}
