//! Contacts of vertices with triangles.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;
use pliant_mesh::geometry::{Aabb, ray_triangle};

use super::nearest::{MovingVertex, NO_DIRECTION, RIM_WIDTH, SurfacePoint, nearest_point};

/// Cosine between the normals of a vertex and of a triangle above which both face the same way.
const FACED_COSINE: f64 = 0.1;

/// Cosine to the normal of a smooth vertex above which a contact would push it along its own side.
const ALONG_COSINE: f64 = -0.3;

/// Largest depth of such a vertex below a triangle that faces it, in spacings, for the contact to be with that triangle.
const PASSING_DEPTH: f64 = 0.05;

/// Distance from a side, in spacings, up to which a vertex lies on it: then the side that faces the vertex is its contact.
const FLUSH_RIM: f64 = 1e-3;

/// The same over the thickness that bodies which meet keep, if any. At rest they keep a tenth of it, and at three times that distance the line to the nearest
/// point of a rim leads along the side.
const THICK_RIM: f64 = 1.0 / 3.0;

/// Travel in a step, in spacings of the vertex, above which the path of a vertex is searched.
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
        let kept = known.and_then(|way| kept_contact(&moving, spacing, on, thickness, way));
        // Contacts of the last step are kept with priority; otherwise a contact would end and start in every other step.
        let facing = Facing::of(of, *vertex, known.is_none());
        contacts.extend(kept.or_else(|| new_contact(&moving, &facing, spacing, on, thickness)));
    }
}

/// Collects the vertices whose path crosses a box, in ascending order.
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

/// The contact of a vertex that continues from the last step, on the side with the normal `way`. A vertex that is pressed in may
/// be nearer to another side, as at the edge of a box, but did not enter there.
fn kept_contact(
    moving: &MovingVertex,
    spacing: f64,
    on: &Collider,
    thickness: f64,
    way: DVec3,
) -> Option<Contact> {
    /// Least cosine of the angle by which the side may have turned.
    const KEPT_COSINE: f64 = 0.7;
    let reach = on.depth_of(spacing) + thickness;
    let alike = |triangle: u32| on.triangle_normal(triangle).dot(way) > KEPT_COSINE;
    let place = nearest_point(moving.x, on, reach, alike)?;
    let place = place.flattened(moving.x, on);
    place.has_above(moving.x, spacing, on).then(|| moving.contact(&place, on, thickness)).flatten()
}

/// The new contact of a vertex with a surface, if any.
fn new_contact(
    moving: &MovingVertex,
    facing: &Facing,
    spacing: f64,
    on: &Collider,
    thickness: f64,
) -> Option<Contact> {
    let depth = on.depth_of(spacing);
    let travel = on.travel(moving.v);
    // A vertex on an edge of a box that lies on another box is as near to the side of the lower box as to its top. But the side
    // faces the same way as the vertex, so the vertex cannot have entered through it.
    let faces = |triangle: u32| on.triangle_normal(triangle).dot(facing.normal) < FACED_COSINE;
    let nearest =
        faced_point(moving.x, on, (depth.max(travel) + thickness, RIM_WIDTH * spacing), faces);
    // In order of certainty: a point inside the surface, an entry on the path of a fast vertex, a point near the surface.
    let inside = nearest.filter(|place| place.gap < thickness && place.gap >= -depth);
    let met =
        || (travel > FAST_TRAVEL * spacing).then(|| first_point_on_path(moving, on)).flatten();
    let near = nearest.filter(|place| place.gap < FAST_TRAVEL * spacing + thickness);
    let place = inside.or_else(met).or(near)?;
    let place =
        facing.on_rim(place, moving.x, (FLUSH_RIM * spacing).max(THICK_RIM * thickness), on);
    let place = if facing.would_push_along(place.normal) {
        passing_point(moving, facing, spacing, on).unwrap_or(Some(place))?
    } else {
        place
    };
    moving.contact(&place, on, thickness)
}

/// The nearest point on triangles that face the vertex, within `reach`. A vertex outside by more than `rim` is not inside, though
/// it is behind a triangle on the far side that faces it.
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

/// The contact point of a smooth vertex that would be pushed along its own side, if the front of a body sliding over it is
/// all that comes near. A body at rest sinks in slightly, and its front would otherwise trip over every vertex on its path.
/// `Some(None)` if the vertex does not touch the sliding body yet.
fn passing_point(
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

/// The direction that a vertex faces.
#[derive(Debug, Clone, Copy)]
struct Facing {
    /// Unit vector out of its surface.
    normal: DVec3,
    /// True if a contact that pushes the vertex along its own side is to be checked by [`passing_point`].
    may_be_passed: bool,
}

impl Facing {
    fn of(collider: &Collider, vertex: u32, new: bool) -> Self {
        let facets = collider.facets();
        let normal = facets.vertex_normal(collider.x(), vertex);
        Self { normal, may_be_passed: new && facets.is_smooth(vertex) && normal != DVec3::ZERO }
    }

    /// The same point, with the normal of the side there that faces the vertex most, if the vertex lies within `rim` of a side, in m: the line to the
    /// nearest point has no direction there, or a random one.
    fn on_rim(&self, place: SurfacePoint, x: DVec3, rim: f64, on: &Collider) -> SurfacePoint {
        if place.gap.abs() > rim {
            return place;
        }
        let sides = on.facets().sharing(place.triangle, place.weights);
        let opposed = |triangle: &u32| on.triangle_normal(*triangle).dot(self.normal);
        let side = sides.min_by(|a, b| opposed(a).total_cmp(&opposed(b)));
        let normal = side.map_or(place.normal, |triangle| on.triangle_normal(triangle));
        let gap = normal.dot(x - place.point(on));
        SurfacePoint { normal, gap, ..place }
    }

    /// True if the direction leads along the side around the vertex, and the vertex is smooth and new in contact.
    fn would_push_along(&self, way: DVec3) -> bool {
        self.may_be_passed && way.dot(self.normal) > ALONG_COSINE
    }
}

/// The first triangle that a vertex enters on its path through the step, relative to the surface, which is assumed to move as a
/// whole.
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
