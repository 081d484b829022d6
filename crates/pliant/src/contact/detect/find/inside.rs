//! Points of two surfaces that are inside each other, however deep.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::ray_triangle;

use super::nearest::nearest_point;

/// Vertices are tested this far inside of their surface, in spacings: surfaces that touch, or overlap less, are not inside each other, and
/// surfaces at the same place are.
const INSET: f64 = 0.02;

/// The start of a search for a way out, in spacings beside the vertex: a line through a vertex of one regular mesh may meet the edges of another, where
/// rounding decides whether it meets a triangle at all.
const ASIDE: DVec3 = DVec3::new(6.2e-4, 3.4e-4, 4.6e-4);

/// Adds the points of two surfaces that are inside each other to the empty list `contacts`, with the normal `way`, out of the second surface.
///
/// Where no vertex is inside, as in two bars across each other, these are points where edges go through triangles.
pub(crate) fn points_inside(
    first: &Collider,
    second: &Collider,
    way: DVec3,
    contacts: &mut Vec<Contact>,
) {
    both_ways(vertices_inside, [first, second], way, contacts);
    if contacts.is_empty() {
        both_ways(edges_through, [first, second], way, contacts);
    }
}

/// Adds points of the first surface to `contacts`, as a step of [`points_inside`].
type PointSearch = fn(&Collider, &Collider, DVec3, &mut Vec<Contact>);

fn both_ways(
    search: PointSearch,
    [first, second]: [&Collider; 2],
    way: DVec3,
    contacts: &mut Vec<Contact>,
) {
    search(first, second, way, contacts);
    let middle = contacts.len();
    search(second, first, -way, contacts);
    contacts[middle..].iter_mut().for_each(|contact| *contact = contact.turned());
}

/// A vertex, moved a little into its body.
fn inset(of: &Collider, vertex: u32) -> DVec3 {
    let outward = of.facets().vertex_normal(of.x(), vertex);
    of.x()[vertex as usize] - INSET * of.facets().spacing_at(vertex as usize) * outward
}

/// Adds the vertices of one surface that are inside another, with the points where they would leave it along `way`.
fn vertices_inside(of: &Collider, on: &Collider, way: DVec3, contacts: &mut Vec<Contact>) {
    for vertex in 0..of.facets().vertex_count() as u32 {
        let x = inset(of, vertex);
        let is_inside = on.bounds().contains(x)
            && nearest_point(x, on, f64::INFINITY, |_| true).is_some_and(|place| place.gap < 0.0);
        let exit = if is_inside {
            exit(x + of.facets().spacing_at(vertex as usize) * ASIDE, on, way)
        } else {
            None
        };
        if let Some((triangle, weights, distance)) = exit {
            let corners = on.facets().triangles()[triangle as usize];
            let (first, second) = (Feature::vertex(vertex), Feature::triangle(corners, weights));
            contacts.push(Contact { first, second, normal: way, gap: -distance });
        }
    }
}

/// The first triangle through which a point leaves a surface along a way.
fn exit(x: DVec3, on: &Collider, way: DVec3) -> Option<(u32, [f64; 3], f64)> {
    let mut found = None;
    on.tree().along_ray(x, way, f64::INFINITY, |triangle, reach| {
        let hit = ray_triangle(x, way, on.corners(triangle));
        let leaves = |(distance, _): &(f64, [f64; 3])| {
            *distance <= reach && on.triangle_normal(triangle).dot(way) > 0.0
        };
        let Some((distance, weights)) = hit.filter(leaves) else { return reach };
        found = Some((triangle, weights, distance));
        distance
    });
    found
}

/// Adds the points where edges of one surface go through triangles of another.
fn edges_through(of: &Collider, on: &Collider, way: DVec3, contacts: &mut Vec<Contact>) {
    let least = INSET * of.facets().spacing().min(on.facets().spacing());
    of.tree().pairs(on.tree(), |own, other| {
        let corners = on.corners(other);
        let normal = on.triangle_normal(other);
        let [a, b, c] = of.facets().triangles()[own as usize];
        for [a, b] in [[a, b], [b, c], [c, a]].into_iter().filter(|[a, b]| a < b) {
            let (p, q) = (inset(of, a), inset(of, b));
            let [below, above] = [p, q].map(|end| normal.dot(end - corners[0]));
            if below * above >= 0.0 || below.abs().min(above.abs()) < least {
                continue;
            }
            if let Some((t, weights)) = ray_triangle(p, q - p, corners) {
                let second = Feature::triangle(on.facets().triangles()[other as usize], weights);
                let first = Feature::edge([a, b], t);
                contacts.push(Contact { first, second, normal: way, gap: 0.0 });
            }
        }
    });
}
