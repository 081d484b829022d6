//! Vertices on triangles.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;
use crate::geometry::{Aabb, ray_triangle};

use super::nearest::{MovingVertex, NO_DIRECTION, RIM_WIDTH, SurfacePoint, nearest_point};

/// Cosine of the angle to the normal of a vertex above which a triangle faces the same way.
const FACED_COSINE: f64 = 0.1;

/// The same for a vertex inside of a side, above which something would push it along that side.
const ALONG_COSINE: f64 = -0.3;

/// How far below what faces it such a vertex may be, in spacings, for that to count as what it touches.
const PASSING_DEPTH: f64 = 0.05;

/// Vertices that move farther than so many of their spacings in a step are looked at along their way.
const FAST_TRAVEL: f64 = 0.5;

/// Adds the contacts of vertices of one surface with triangles of another.
pub(super) fn vertices_on(
    vertices: &mut Vec<u32>,
    of: &Collider,
    on: &Collider,
    thickness: f64,
    known: impl Fn(u32) -> Option<DVec3>,
    contacts: &mut Vec<Contact>,
) {
    gather(vertices, of, &on.bounds().inflated(thickness));
    for vertex in &*vertices {
        let (x, v) = (of.x()[*vertex as usize], of.v()[*vertex as usize]);
        let moving = MovingVertex { vertex: *vertex, x, v };
        let spacing = of.facets().spacing_at(*vertex as usize);
        let known = known(*vertex);
        let kept = known.and_then(|way| kept(&moving, spacing, on, thickness, way));
        // What touched in the last step goes on to, or it would let go and take hold in every other one.
        let facing = Facing::of(of, *vertex, known.is_none());
        contacts.extend(kept.or_else(|| contact(&moving, &facing, spacing, on, thickness)));
    }
}

/// The vertices whose way crosses a box, rising.
fn gather(vertices: &mut Vec<u32>, of: &Collider, bounds: &Aabb) {
    vertices.clear();
    if !of.bounds().overlaps(bounds) {
        return;
    }
    let crosses = |vertex: &u32| {
        let (x, v) = (of.x()[*vertex as usize], of.v()[*vertex as usize]);
        Aabb::swept([x], [v], of.h()).overlaps(bounds)
    };
    let triangles = of.facets().triangles();
    of.tree().overlapping(bounds, |triangle| {
        vertices.extend(triangles[triangle as usize].iter().filter(|k| crosses(k)));
    });
    vertices.sort_unstable();
    vertices.dedup();
}

/// The contact of a vertex with what it touched in the last step from the side that `way` points to. A vertex that is
/// pressed in may be nearer to another side, as to that of a box whose edge it is on, but did not come from there.
fn kept(
    moving: &MovingVertex,
    spacing: f64,
    on: &Collider,
    thickness: f64,
    way: DVec3,
) -> Option<Contact> {
    /// Cosine of the angle by which the side may have turned.
    const KEPT_COSINE: f64 = 0.7;
    let reach = on.depth_of(spacing) + thickness;
    let alike = |triangle: u32| on.triangle_normal(triangle).dot(way) > KEPT_COSINE;
    let place = nearest_point(moving.x, on, reach, alike)?;
    let place = place.flattened(moving.x, on);
    place.has_above(moving.x, spacing, on).then(|| moving.contact(&place, on, thickness)).flatten()
}

/// The contact of a vertex with a surface, if there is one.
fn contact(
    moving: &MovingVertex,
    facing: &Facing,
    spacing: f64,
    on: &Collider,
    thickness: f64,
) -> Option<Contact> {
    let depth = on.depth_of(spacing);
    let travel = on.travel(moving.v);
    // A vertex on an edge of a box that lies on another is as near to the side of that as to its top; but the side
    // faces the same way as the vertex, and so is not what it runs into.
    let faces = |triangle: u32| on.triangle_normal(triangle).dot(facing.normal) < FACED_COSINE;
    let nearest =
        faced_point(moving.x, on, (depth.max(travel) + thickness, RIM_WIDTH * spacing), faces);
    let inside = nearest.filter(|place| place.gap < thickness && place.gap >= -depth);
    let met =
        || (travel > FAST_TRAVEL * spacing).then(|| first_point_on_path(moving, on)).flatten();
    let near = nearest.filter(|place| place.gap < FAST_TRAVEL * spacing + thickness);
    let place = inside.or_else(met).or(near)?;
    let place = if facing.has_along(place.normal) {
        passed(moving, facing, spacing, on).unwrap_or(Some(place))?
    } else {
        place
    };
    moving.contact(&place, on, thickness)
}

/// The nearest place of those that a vertex faces, within `reach`. What lies outside by more than `rim` is not inside, though it
/// lies behind one of those on the far side.
fn faced_point(
    x: DVec3,
    on: &Collider,
    (reach, rim): (f64, f64),
    faces: impl Fn(u32) -> bool,
) -> Option<SurfacePoint> {
    let nearest = nearest_point(x, on, reach, |_| true)?;
    if faces(nearest.triangle) {
        return Some(nearest);
    }
    nearest_point(x, on, reach, faces).filter(|place| place.gap >= 0.0 || nearest.gap < rim)
}

/// What a vertex inside of a side touches that is about to be pushed along that side, if all that comes along is the front of
/// what slides over it: that sinks in a little, as all does that lies on something, and would trip over every vertex
/// that it comes to. `Some(None)` if it does not touch it yet.
fn passed(
    moving: &MovingVertex,
    facing: &Facing,
    spacing: f64,
    on: &Collider,
) -> Option<Option<SurfacePoint>> {
    let reach = on.travel(moving.v) + PASSING_DEPTH * spacing;
    let faces = |triangle: u32| on.triangle_normal(triangle).dot(facing.normal) < ALONG_COSINE;
    let place = nearest_point(moving.x, on, reach, faces)?.flattened(moving.x, on);
    let shallow = place.gap.abs() < PASSING_DEPTH * spacing;
    let begins = place.aside(moving.x, on) < NO_DIRECTION * spacing;
    shallow.then(|| begins.then_some(place))
}

/// Which way a vertex faces.
#[derive(Debug, Clone, Copy)]
struct Facing {
    /// Unit vector out of its surface.
    normal: DVec3,
    /// Whether nothing pushes it along its side that merely comes along there.
    eludes: bool,
}

impl Facing {
    fn of(collider: &Collider, vertex: u32, new: bool) -> Self {
        let facets = collider.facets();
        let normal = facets.vertex_normal(collider.x(), vertex);
        Self { normal, eludes: new && facets.is_smooth(vertex) && normal != DVec3::ZERO }
    }

    /// Whether a way leads along the side that the vertex lies inside of, and is not for it to go.
    fn has_along(&self, way: DVec3) -> bool {
        self.eludes && way.dot(self.normal) > ALONG_COSINE
    }
}

/// The first triangle that a vertex meets from outside on its way through the step, seen from the surface, which is taken
/// to move as a whole.
fn first_point_on_path(moving: &MovingVertex, on: &Collider) -> Option<SurfacePoint> {
    let way = on.h() * (moving.v - on.velocity());
    let mut found = None;
    on.tree().along_ray(moving.x, way, 1.0, |triangle, reach| {
        let hit = ray_triangle(moving.x, way, on.corners(triangle));
        let enters =
            hit.filter(|(time, _)| *time <= reach && on.triangle_normal(triangle).dot(way) < 0.0);
        let Some((time, weights)) = enters else { return reach };
        found = Some((triangle, weights, time));
        time
    });
    let (triangle, weights, time) = found?;
    let normal = on.triangle_normal(triangle);
    Some(SurfacePoint { triangle, weights, normal, gap: -time * normal.dot(way) })
}
