//! Vertices on triangles.

use glam::DVec3;

use crate::contact::{Collider, Contact, Feature};
use crate::geometry::{Aabb, point_triangle, ray_triangle};

use super::Finder;

/// A vertex that may touch a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) vertex: u32,
    /// Where it is, in m, and its velocity, in m/s.
    pub(super) x: DVec3,
    pub(super) v: DVec3,
}

/// The nearest place of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) triangle: u32,
    pub(super) weights: [f64; 3],
    /// Unit vector out of the surface.
    pub(super) normal: DVec3,
    /// Distance along it, negative inside, in m.
    pub(super) gap: f64,
}

impl Place {
    fn point(&self, on: &Collider) -> DVec3 {
        let [a, b, c] = on.corners(self.triangle);
        self.weights[0] * a + self.weights[1] * b + self.weights[2] * c
    }

    /// The same seen straight from its triangle, rather than along the line to it.
    fn flattened(self, x: DVec3, on: &Collider) -> Self {
        let normal = on.triangle_normal(self.triangle);
        Self { normal, gap: normal.dot(x - self.point(on)), ..self }
    }

    /// Whether a vertex is above or below it. What has slid off beside a side does not touch it; what bulges a little over its
    /// rim does.
    fn has_above(&self, x: DVec3, spacing: f64, on: &Collider) -> bool {
        self.gap.abs() + RIM * spacing >= self.aside(x, on)
    }

    /// How far a point lies beside it, across its normal, in m.
    fn aside(&self, x: DVec3, on: &Collider) -> f64 {
        (x - self.point(on) - self.gap * self.normal).length()
    }
}

/// Cosine of the angle to the normal of a vertex above which a triangle faces the same way.
const FACED: f64 = 0.1;

/// The same for a vertex inside of a side, above which something would push it along that side.
const ALONG: f64 = -0.3;

/// How far below what faces it such a vertex may be, in spacings, for that to count as what it touches.
const SHALLOW: f64 = 0.05;

/// How far over the rim of a side a vertex may be, in spacings.
const RIM: f64 = 0.05;

/// Distance over the spacing below which the line to the nearest point has no direction.
const NOWHERE: f64 = 1e-9;

/// Gap over the spacing below which surfaces touch: those that were put right beside each other would else fall into each
/// other for a step.
const FLUSH: f64 = 1e-6;

/// Vertices that move farther than so many of their spacings in a step are looked at along their way.
const FAST: f64 = 0.5;

impl Finder {
    /// Adds the contacts of vertices of one surface with triangles of another.
    pub(super) fn vertices_on(
        &mut self,
        of: &Collider,
        on: &Collider,
        thickness: f64,
        known: impl Fn(u32) -> Option<DVec3>,
        contacts: &mut Vec<Contact>,
    ) {
        self.gather(of, &on.bounds().inflated(thickness));
        for vertex in &self.vertices {
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
    fn gather(&mut self, of: &Collider, bounds: &Aabb) {
        self.vertices.clear();
        if !of.bounds().overlaps(bounds) {
            return;
        }
        let crosses = |vertex: &u32| {
            let (x, v) = (of.x()[*vertex as usize], of.v()[*vertex as usize]);
            Aabb::swept([x], [v], of.h()).overlaps(bounds)
        };
        let triangles = of.facets().triangles();
        of.tree().overlapping(bounds, |triangle| {
            self.vertices.extend(triangles[triangle as usize].iter().filter(|k| crosses(k)));
        });
        self.vertices.sort_unstable();
        self.vertices.dedup();
    }
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

impl Mover {
    /// The contact at a place, if it is or will be one.
    pub(super) fn contact(&self, place: &Place, on: &Collider, thickness: f64) -> Option<Contact> {
        let corners = on.facets().triangles()[place.triangle as usize];
        let second = Feature::triangle(corners, place.weights);
        let gap = place.gap - thickness;
        let slip = on.h() * (self.v - second.blend(on.v()));
        let flush = FLUSH * on.facets().spacing();
        let enters = || gap + place.normal.dot(slip) < 0.0 && is_behind(on, place, self.x + slip);
        let touches = gap < flush || enters();
        let first = Feature::vertex(self.vertex);
        touches.then_some(Contact { first, second, normal: place.normal, gap })
    }
}

/// The nearest place within reach on the triangles that are allowed; none at an open border, beyond which nothing tells
/// inside from outside.
pub(super) fn nearest_place(
    x: DVec3,
    on: &Collider,
    reach: f64,
    allowed: impl Fn(u32) -> bool,
) -> Option<Place> {
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
    let clear = distance > NOWHERE * on.facets().spacing();
    let normal = if clear { side * line / distance } else { outward };
    let known = normal != DVec3::ZERO;
    known.then_some(Place { triangle, weights, normal, gap: side * distance })
}

/// Whether a point lies behind all triangles that meet at a place, where they are now. What passes beside an edge does not,
/// though it passes below the plane across the line to its nearest point.
fn is_behind(on: &Collider, place: &Place, x: DVec3) -> bool {
    on.facets().sharing(place.triangle, place.weights).all(|triangle| {
        let behind = on.triangle_normal(triangle).dot(x - on.corners(triangle)[0]) < 0.0;
        behind || !on.facets().is_solid(triangle)
    })
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
