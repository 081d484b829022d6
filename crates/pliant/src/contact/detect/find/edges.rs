//! Contacts of edges with edges.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::collider::facet_edge::FacetEdge;
use crate::contact::detect::contact::Contact;
use crate::contact::detect::feature::Feature;

use super::nearest::{can_be_stopped, nearest_point};
use pliant_mesh::geometry::segment_segment;

/// Squared sine of the angle below which edges are parallel: contacts of their vertices hold them then.
const PARALLEL_SINE_SQUARED: f64 = 1e-3;

/// Conditions for two edges to touch: strict for a new contact, so that only certain ones start; loose for a contact of the last
/// step, which would otherwise end and start again in every other step.
#[derive(Debug, Clone, Copy)]
struct EdgeLimits {
    /// Largest rise of a triangle beside an edge above the plane between two edges, as a sine.
    rise: f64,
    /// Largest distance between the nearest points across the normal, in lengths of the shorter edge. It is above zero if one of them
    /// is an end.
    aside: f64,
}

const NEW_CONTACT: EdgeLimits = EdgeLimits { rise: 0.1, aside: 1e-9 };
const KEPT_CONTACT: EdgeLimits = EdgeLimits { rise: 0.4, aside: 0.1 };

/// Depth at the start of the last step up to which a new contact is taken for one that arises now, in spacings. Edges that were deeper
/// came in by another way: the top edge of a box below is behind the side of the box that stands on it, but did not enter there.
const ENTRY_DEPTH: f64 = 1e-3;

/// Depth of a point of an edge inside the other body, over that of the edges, from which bodies cross each other there although no vertex of them is in contact. Of
/// two bars that cross with their edges it is 0.7. Where bodies that rest on each other rock, vertices are apart for a step: their edges cross by some
/// micrometres, and are half a side deep along the way between them.
const CROSSING_DEPTH: f64 = 0.3;

/// Least distance of the nearest points of a new contact from the ends of their edges, in lengths of the edge: at an end, contacts of the
/// vertex there hold the bodies.
const FROM_END: f64 = 1e-6;

/// Least cosine of the angle by which the normal of a contact may turn in a step.
const KEPT_COSINE: f64 = 0.7;

/// Adds the contacts of sharp edges with sharp edges of another surface. `known` returns the normal of a contact in
/// the last step, by its [key](Contact::key). `sunk` is the depth of the deepest vertex, in m, if
/// one is in contact: where bodies rest on each other, edges that cross are as deep. Without one, edges that cross may be at any depth.
///
/// Where both nearest points are inside their edges, the normal is perpendicular to both edges. A plane across it has to separate
/// one edge with its two triangles from the other edge with its two; otherwise other features are nearer.
pub(super) fn edges_on_edges(
    first: &Collider,
    second: &Collider,
    (thickness, sunk): (f64, Option<f64>),
    known: impl Fn([u32; 4]) -> Option<DVec3>,
    contacts: &mut Vec<Contact>,
) {
    let spacing = first.facets().spacing().min(second.facets().spacing());
    let entry = sunk.unwrap_or(0.0).max(0.0) + ENTRY_DEPTH * spacing;
    first.edge_tree().pairs(second.edge_tree(), |a, b| {
        let colliders = [first, second];
        let edges = [*first.facets().sharp_edge(a), *second.facets().sharp_edge(b)];
        let Some(edges_in_contact) = EdgeContact::of(colliders, edges, thickness) else { return };
        let key = edges_in_contact.contact.key();
        let kept = || known(key).is_some_and(|way| edges_in_contact.keeps(colliders, way));
        let meets = || {
            edges_in_contact.began_within(entry)
                || sunk.is_none() && edges_in_contact.crosses(colliders)
        };
        let begins = || {
            edges_in_contact.is_inside_edges()
                && edges_in_contact.is_within(colliders, &NEW_CONTACT)
                && meets()
        };
        if begins() || kept() {
            contacts.push(edges_in_contact.contact);
        }
    });
}

/// Two edges near enough to touch, before the conditions are checked.
struct EdgeContact {
    edges: [FacetEdge; 2],
    contact: Contact,
    /// Distance between their nearest points across the normal, in lengths of the shorter edge.
    aside: f64,
    /// The gap a step ago, at the present velocities, in m.
    gap_before: f64,
}

impl EdgeContact {
    fn of(colliders: [&Collider; 2], edges: [FacetEdge; 2], thickness: f64) -> Option<Self> {
        let [a, b] = edges;
        let (p, q) = (ends(colliders[0], &a), ends(colliders[1], &b));
        let (u, v) = (p[1] - p[0], q[1] - q[0]);
        let across = u.cross(v);
        if across.length_squared() < PARALLEL_SINE_SQUARED * u.length_squared() * v.length_squared()
        {
            return None;
        }
        let (s, t, _) = segment_segment(p, q);
        let (first, second) = (Feature::edge(a.vertices, s), Feature::edge(b.vertices, t));
        let normal = across.try_normalize()?;
        // The normal points from the second body to the first: to the side on which the triangles of the first edge lie.
        let above = rise(colliders[0], &a, normal) - rise(colliders[1], &b, normal);
        let normal = if above > 0.0 { normal } else { -normal };
        let span = first.blend(colliders[0].x()) - second.blend(colliders[1].x());
        let (distance, shorter) = (normal.dot(span), u.length().min(v.length()));
        let gap = distance - thickness;
        // In contact now, or by the end of the step at the present velocities.
        let [own, other] = [first.blend(colliders[0].v()), second.blend(colliders[1].v())];
        let closing = normal.dot(own - other);
        let spacing = colliders[0].facets().spacing().min(colliders[1].facets().spacing());
        let may_stop = can_be_stopped(gap, [own, other].map(|v| colliders[0].h() * v), spacing);
        let fastest = if may_stop { normal.dot(own).min(-normal.dot(other)) } else { closing };
        let depth = colliders[0].edge_depth() + colliders[1].edge_depth();
        let touches = gap >= -depth && gap.min(gap + colliders[0].h() * closing.min(fastest)) < 0.0;
        let aside = (span - distance * normal).length() / shorter;
        let (contact, gap_before) =
            (Contact { first, second, normal, gap }, gap - colliders[0].h() * closing);
        touches.then_some(Self { edges, contact, aside, gap_before })
    }

    /// True if both nearest points are inside their edges.
    fn is_inside_edges(&self) -> bool {
        let inside = |feature: &Feature| {
            feature.weights().iter().fold(1.0_f64, |least, weight| least.min(*weight)) > FROM_END
        };
        inside(&self.contact.first) && inside(&self.contact.second)
    }

    /// True if the edges were no deeper than `entry` a step ago, in m: they may have met since then.
    fn began_within(&self, entry: f64) -> bool {
        self.gap_before >= -entry
    }

    /// True if the bodies go through each other where their edges cross: the point of one of them is deep inside the other body.
    fn crosses(&self, colliders: [&Collider; 2]) -> bool {
        let Contact { first, second, gap, .. } = &self.contact;
        let is_deep = |feature: &Feature, of: &Collider, on: &Collider| {
            let nearest = nearest_point(feature.blend(of.x()), on, f64::INFINITY, |_| true);
            nearest.is_some_and(|place| place.gap < CROSSING_DEPTH * gap)
        };
        let [a, b] = colliders;
        *gap < 0.0 && (is_deep(first, a, b) || is_deep(second, b, a))
    }

    fn is_within(&self, colliders: [&Collider; 2], limits: &EdgeLimits) -> bool {
        let (normal, rise) = (self.contact.normal, limits.rise);
        self.aside <= limits.aside
            && stays_above(colliders[0], &self.edges[0], normal, rise)
            && stays_above(colliders[1], &self.edges[1], -normal, rise)
    }

    /// True if a contact that had the normal `way` in the last step continues.
    fn keeps(&self, colliders: [&Collider; 2], way: DVec3) -> bool {
        self.contact.normal.dot(way) > KEPT_COSINE && self.is_within(colliders, &KEPT_CONTACT)
    }
}

fn ends(collider: &Collider, edge: &FacetEdge) -> [DVec3; 2] {
    edge.vertices.map(|k| collider.x()[k as usize])
}

/// Directions from an edge into the triangles on both sides, perpendicular to the edge.
fn beside(collider: &Collider, edge: &FacetEdge) -> [DVec3; 2] {
    let [start, end] = ends(collider, edge);
    let along = (end - start).normalize_or_zero();
    edge.triangles.map(|triangle| {
        let corner = triangle.map(|t| collider.facets().opposite(t, edge.vertices));
        let way = corner.map_or(DVec3::ZERO, |k| collider.x()[k as usize] - start);
        (way - way.dot(along) * along).normalize_or_zero()
    })
}

/// Component of the two triangles beside an edge along a direction.
fn rise(collider: &Collider, edge: &FacetEdge, direction: DVec3) -> f64 {
    beside(collider, edge).into_iter().sum::<DVec3>().dot(direction)
}

/// True if both triangles beside an edge lie along a direction, up to a sine of `rise`.
fn stays_above(collider: &Collider, edge: &FacetEdge, direction: DVec3, rise: f64) -> bool {
    beside(collider, edge).into_iter().all(|way| way.dot(direction) > -rise)
}
