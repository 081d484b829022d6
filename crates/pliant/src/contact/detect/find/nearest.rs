//! The nearest point of a surface to a vertex.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;
use crate::contact::detect::feature::Feature;
use crate::geometry::point_triangle;

/// How far over the rim of a side a vertex may be, in spacings.
pub(super) const RIM_WIDTH: f64 = 0.05;

/// Distance over the spacing below which the line to the nearest point has no direction.
pub(super) const NO_DIRECTION: f64 = 1e-9;

/// Gap over the spacing below which surfaces touch: those that were put right beside each other would else fall into each
/// other for a step.
const FLUSH_GAP: f64 = 1e-6;

/// A vertex that may touch a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingVertex {
    pub(super) vertex: u32,
    /// Where it is, in m, and its velocity, in m/s.
    pub(super) x: DVec3,
    pub(super) v: DVec3,
}

/// The nearest place of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct SurfacePoint {
    pub(super) triangle: u32,
    pub(super) weights: [f64; 3],
    /// Unit vector out of the surface.
    pub(super) normal: DVec3,
    /// Distance along it, negative inside, in m.
    pub(super) gap: f64,
}

impl SurfacePoint {
    pub(super) fn point(&self, on: &Collider) -> DVec3 {
        let [a, b, c] = on.corners(self.triangle);
        self.weights[0] * a + self.weights[1] * b + self.weights[2] * c
    }

    /// The same seen straight from its triangle, rather than along the line to it.
    pub(super) fn flattened(self, x: DVec3, on: &Collider) -> Self {
        let normal = on.triangle_normal(self.triangle);
        Self { normal, gap: normal.dot(x - self.point(on)), ..self }
    }

    /// Whether a vertex is above or below it. What has slid off beside a side does not touch it; what bulges a little over its
    /// rim does.
    pub(super) fn has_above(&self, x: DVec3, spacing: f64, on: &Collider) -> bool {
        self.gap.abs() + RIM_WIDTH * spacing >= self.aside(x, on)
    }

    /// How far a point lies beside it, across its normal, in m.
    pub(super) fn aside(&self, x: DVec3, on: &Collider) -> f64 {
        (x - self.point(on) - self.gap * self.normal).length()
    }
}

impl MovingVertex {
    /// The contact at a place, if it is or will be one.
    pub(super) fn contact(
        &self,
        place: &SurfacePoint,
        on: &Collider,
        thickness: f64,
    ) -> Option<Contact> {
        let corners = on.facets().triangles()[place.triangle as usize];
        let second = Feature::triangle(corners, place.weights);
        let gap = place.gap - thickness;
        let slip = on.h() * (self.v - second.blend(on.v()));
        let flush = FLUSH_GAP * on.facets().spacing();
        let enters = || gap + place.normal.dot(slip) < 0.0 && is_behind(on, place, self.x + slip);
        let touches = gap < flush || enters();
        let first = Feature::vertex(self.vertex);
        touches.then_some(Contact { first, second, normal: place.normal, gap })
    }
}

/// The nearest place within reach on the triangles that are allowed; none at an open border, beyond which nothing tells
/// inside from outside.
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
    let side = if outward.dot(line) < 0.0 { -1.0 } else { 1.0 };
    let distance = line.length();
    let clear = distance > NO_DIRECTION * on.facets().spacing();
    let normal = if clear { side * line / distance } else { outward };
    let known = normal != DVec3::ZERO;
    known.then_some(SurfacePoint { triangle, weights, normal, gap: side * distance })
}

/// Whether a point lies behind all triangles that meet at a place, where they are now. What passes beside an edge does not,
/// though it passes below the plane across the line to its nearest point.
fn is_behind(on: &Collider, place: &SurfacePoint, x: DVec3) -> bool {
    on.facets().sharing(place.triangle, place.weights).all(|triangle| {
        let behind = on.triangle_normal(triangle).dot(x - on.corners(triangle)[0]) < 0.0;
        behind || !on.facets().is_solid(triangle)
    })
}
