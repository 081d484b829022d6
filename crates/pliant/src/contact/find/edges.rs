//! Edges on edges.

use glam::DVec3;

use crate::contact::collider::Edge;
use crate::contact::{Collider, Contact, Feature};
use crate::geometry::segment_segment;

/// Square of the sine of the angle below which edges are parallel: then their vertices do.
const PARALLEL: f64 = 1e-3;

/// How far a triangle beside an edge may rise above the plane between two edges, as a sine.
const RISE: f64 = 0.1;

/// Adds the contacts of edges that stick out with those of another surface.
///
/// Where both touch inside, the direction across both is the normal, if a plane across it has one edge with its two
/// triangles on one side and the other with its two on the other; otherwise something else is nearer.
pub(super) fn edges_on_edges(
    first: &Collider,
    second: &Collider,
    thickness: f64,
    contacts: &mut Vec<Contact>,
) {
    first.edge_tree().pairs(second.edge_tree(), |a, b| {
        contacts.extend(contact([first, second], [a, b], thickness));
    });
}

fn contact(colliders: [&Collider; 2], edges: [u32; 2], thickness: f64) -> Option<Contact> {
    let [a, b] = [0, 1].map(|k| *colliders[k].facets().sharp_edge(edges[k]));
    let (p, q) = (ends(colliders[0], &a), ends(colliders[1], &b));
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let across = u.cross(v);
    if across.length_squared() < PARALLEL * u.length_squared() * v.length_squared() {
        return None;
    }
    let (s, t, _) = segment_segment(p, q);
    if s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0 {
        return None;
    }
    let normal = across.try_normalize()?;
    let above = rise(colliders[0], &a, normal) - rise(colliders[1], &b, normal);
    let normal = if above > 0.0 { normal } else { -normal };
    if !(stays_above(colliders[0], &a, normal) && stays_above(colliders[1], &b, -normal)) {
        return None;
    }
    let (first, second) = (Feature::edge(a.vertices, s), Feature::edge(b.vertices, t));
    let gap =
        normal.dot(first.blend(colliders[0].x()) - second.blend(colliders[1].x())) - thickness;
    let closing = normal.dot(first.blend(colliders[0].v()) - second.blend(colliders[1].v()));
    let depth = colliders[0].edge_depth() + colliders[1].edge_depth();
    let touches = gap >= -depth && gap.min(gap + colliders[0].h() * closing) < 0.0;
    touches.then_some(Contact { first, second, normal, gap })
}

fn ends(collider: &Collider, edge: &Edge) -> [DVec3; 2] {
    edge.vertices.map(|k| collider.x()[k as usize])
}

/// Directions from an edge into the triangles beside it, across the edge.
fn beside(collider: &Collider, edge: &Edge) -> [DVec3; 2] {
    let [start, end] = ends(collider, edge);
    let along = (end - start).normalize_or_zero();
    edge.triangles.map(|triangle| {
        let corner = triangle.map(|t| collider.facets().opposite(t, edge.vertices));
        let way = corner.map_or(DVec3::ZERO, |k| collider.x()[k as usize] - start);
        (way - way.dot(along) * along).normalize_or_zero()
    })
}

/// How much what is beside an edge lies along a direction.
fn rise(collider: &Collider, edge: &Edge, direction: DVec3) -> f64 {
    beside(collider, edge).into_iter().sum::<DVec3>().dot(direction)
}

/// Whether what is beside an edge lies along a direction.
fn stays_above(collider: &Collider, edge: &Edge, direction: DVec3) -> bool {
    beside(collider, edge).into_iter().all(|way| way.dot(direction) > -RISE)
}
