//! Vertices on triangles.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;
use crate::geometry::{Aabb, ray_triangle};

use super::nearest::{Mover, NOWHERE, Place, RIM, nearest_place};

/// Cosine of the angle to the normal of a vertex above which a triangle faces the same way.
const FACED: f64 = 0.1;

/// The same for a vertex inside of a side, above which something would push it along that side.
const ALONG: f64 = -0.3;

/// How far below what faces it such a vertex may be, in spacings, for that to count as what it touches.
const SHALLOW: f64 = 0.05;

/// Vertices that move farther than so many of their spacings in a step are looked at along their way.
const FAST: f64 = 0.5;

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
        let mover = Mover { vertex: *vertex, x, v };
        let spacing = of.facets().spacing_at(*vertex as usize);
        let known = known(*vertex);
        let kept = known.and_then(|way| kept(&mover, spacing, on, thickness, way));
        // What touched in the last step goes on to, or it would let go and take hold in every other one.
        let facing = Facing::of(of, *vertex, known.is_none());
        contacts.extend(kept.or_else(|| contact(&mover, &facing, spacing, on, thickness)));
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
fn kept(mover: &Mover, spacing: f64, on: &Collider, thickness: f64, way: DVec3) -> Option<Contact> {
    /// Cosine of the angle by which the side may have turned.
    const TURNED: f64 = 0.7;
    let reach = on.depth_of(spacing) + thickness;
    let alike = |triangle: u32| on.triangle_normal(triangle).dot(way) > TURNED;
    let place = nearest_place(mover.x, on, reach, alike)?;
    let place = place.flattened(mover.x, on);
    place.has_above(mover.x, spacing, on).then(|| mover.contact(&place, on, thickness)).flatten()
}

/// The contact of a vertex with a surface, if there is one.
fn contact(
    mover: &Mover,
    facing: &Facing,
    spacing: f64,
    on: &Collider,
    thickness: f64,
) -> Option<Contact> {
    let depth = on.depth_of(spacing);
    let travel = on.travel(mover.v);
    // A vertex on an edge of a box that lies on another is as near to the side of that as to its top; but the side
    // faces the same way as the vertex, and so is not what it runs into.
    let faces = |triangle: u32| on.triangle_normal(triangle).dot(facing.normal) < FACED;
    let nearest = faced_place(mover.x, on, (depth.max(travel) + thickness, RIM * spacing), faces);
    let inside = nearest.filter(|place| place.gap < thickness && place.gap >= -depth);
    let met = || (travel > FAST * spacing).then(|| met_place(mover, on)).flatten();
    let near = nearest.filter(|place| place.gap < FAST * spacing + thickness);
    let place = inside.or_else(met).or(near)?;
    let place = if facing.has_along(place.normal) {
        passed(mover, facing, spacing, on).unwrap_or(Some(place))?
    } else {
        place
    };
    mover.contact(&place, on, thickness)
}

/// The nearest place of those that a vertex faces, within `reach`. What lies outside by more than `rim` is not inside, though it
/// lies behind one of those on the far side.
fn faced_place(
    x: DVec3,
    on: &Collider,
    (reach, rim): (f64, f64),
    faces: impl Fn(u32) -> bool,
) -> Option<Place> {
    let nearest = nearest_place(x, on, reach, |_| true)?;
    if faces(nearest.triangle) {
        return Some(nearest);
    }
    nearest_place(x, on, reach, faces).filter(|place| place.gap >= 0.0 || nearest.gap < rim)
}

/// What a vertex inside of a side touches that is about to be pushed along that side, if all that comes along is the front of
/// what slides over it: that sinks in a little, as all does that lies on something, and would trip over every vertex
/// that it comes to. `Some(None)` if it does not touch it yet.
fn passed(mover: &Mover, facing: &Facing, spacing: f64, on: &Collider) -> Option<Option<Place>> {
    let reach = on.travel(mover.v) + SHALLOW * spacing;
    let faces = |triangle: u32| on.triangle_normal(triangle).dot(facing.normal) < ALONG;
    let place = nearest_place(mover.x, on, reach, faces)?.flattened(mover.x, on);
    let shallow = place.gap.abs() < SHALLOW * spacing;
    let begins = place.aside(mover.x, on) < NOWHERE * spacing;
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
        self.eludes && way.dot(self.normal) > ALONG
    }
}

/// The first triangle that a vertex meets from outside on its way through the step, seen from the surface, which is taken
/// to move as a whole.
fn met_place(mover: &Mover, on: &Collider) -> Option<Place> {
    let way = on.h() * (mover.v - on.velocity());
    let mut found = None;
    on.tree().along_ray(mover.x, way, 1.0, |triangle, reach| {
        let hit = ray_triangle(mover.x, way, on.corners(triangle));
        let enters =
            hit.filter(|(time, _)| *time <= reach && on.triangle_normal(triangle).dot(way) < 0.0);
        let Some((time, weights)) = enters else { return reach };
        found = Some((triangle, weights, time));
        time
    });
    let (triangle, weights, time) = found?;
    let normal = on.triangle_normal(triangle);
    Some(Place { triangle, weights, normal, gap: -time * normal.dot(way) })
}
