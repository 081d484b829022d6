//! Edges on edges.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::collider::facet_edge::FacetEdge;
use crate::contact::detect::contact::Contact;
use crate::contact::detect::feature::Feature;
use crate::geometry::segment_segment;

/// Square of the sine of the angle below which edges are parallel: then their vertices do.
const PARALLEL_SINE_SQUARED: f64 = 1e-3;

/// What lets two edges touch: strict for those that did not in the last step, so that what starts to touch is sure to; the
/// others keep on until they clearly do not, or they would let go and take hold in every other step.
#[derive(Debug, Clone, Copy)]
struct EdgeLimits {
    /// How far a triangle beside an edge may rise above the plane between two edges, as a sine.
    rise: f64,
    /// How far beside each other, across the normal, their nearest points may be, in lengths of the shorter edge: that is
    /// beyond the end of one.
    aside: f64,
}

const NEW_CONTACT: EdgeLimits = EdgeLimits { rise: 0.1, aside: 1e-9 };
const KEPT_CONTACT: EdgeLimits = EdgeLimits { rise: 0.4, aside: 0.1 };

/// Cosine of the angle by which the normal of a contact may have turned since the last step.
const KEPT_COSINE: f64 = 0.7;

/// Adds the contacts of edges that stick out with those of another surface. `known` tells the normal that a contact had in
/// the last step, by its [key](Contact::key).
///
/// Where both touch inside, the direction across both is the normal, if a plane across it has one edge with its two
/// triangles on one side and the other with its two on the other; otherwise something else is nearer.
pub(super) fn edges_on_edges(
    first: &Collider,
    second: &Collider,
    thickness: f64,
    known: impl Fn([u32; 4]) -> Option<DVec3>,
    contacts: &mut Vec<Contact>,
) {
    first.edge_tree().pairs(second.edge_tree(), |a, b| {
        let colliders = [first, second];
        let edges = [*first.facets().sharp_edge(a), *second.facets().sharp_edge(b)];
        let Some(edges_in_contact) = EdgeContact::of(colliders, edges, thickness) else { return };
        let key = edges_in_contact.contact.key();
        let kept = || known(key).is_some_and(|way| edges_in_contact.keeps(colliders, way));
        if edges_in_contact.is_within(colliders, &NEW_CONTACT) || kept() {
            contacts.push(edges_in_contact.contact);
        }
    });
}

/// Two edges that would overlap, if they lie right.
struct EdgeContact {
    edges: [FacetEdge; 2],
    contact: Contact,
    /// How far beside each other their nearest points are, in lengths of the shorter edge.
    aside: f64,
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
        let above = rise(colliders[0], &a, normal) - rise(colliders[1], &b, normal);
        let normal = if above > 0.0 { normal } else { -normal };
        let span = first.blend(colliders[0].x()) - second.blend(colliders[1].x());
        let (distance, shorter) = (normal.dot(span), u.length().min(v.length()));
        let gap = distance - thickness;
        let closing = normal.dot(first.blend(colliders[0].v()) - second.blend(colliders[1].v()));
        let depth = colliders[0].edge_depth() + colliders[1].edge_depth();
        let touches = gap >= -depth && gap.min(gap + colliders[0].h() * closing) < 0.0;
        let aside = (span - distance * normal).length() / shorter;
        touches.then_some(Self { edges, contact: Contact { first, second, normal, gap }, aside })
    }

    fn is_within(&self, colliders: [&Collider; 2], limits: &EdgeLimits) -> bool {
        let (normal, rise) = (self.contact.normal, limits.rise);
        self.aside <= limits.aside
            && stays_above(colliders[0], &self.edges[0], normal, rise)
            && stays_above(colliders[1], &self.edges[1], -normal, rise)
    }

    /// Whether they go on touching, who did so with the normal `way`.
    fn keeps(&self, colliders: [&Collider; 2], way: DVec3) -> bool {
        self.contact.normal.dot(way) > KEPT_COSINE && self.is_within(colliders, &KEPT_CONTACT)
    }
}

fn ends(collider: &Collider, edge: &FacetEdge) -> [DVec3; 2] {
    edge.vertices.map(|k| collider.x()[k as usize])
}

/// Directions from an edge into the triangles beside it, across the edge.
fn beside(collider: &Collider, edge: &FacetEdge) -> [DVec3; 2] {
    let [start, end] = ends(collider, edge);
    let along = (end - start).normalize_or_zero();
    edge.triangles.map(|triangle| {
        let corner = triangle.map(|t| collider.facets().opposite(t, edge.vertices));
        let way = corner.map_or(DVec3::ZERO, |k| collider.x()[k as usize] - start);
        (way - way.dot(along) * along).normalize_or_zero()
    })
}

/// How much what is beside an edge lies along a direction.
fn rise(collider: &Collider, edge: &FacetEdge, direction: DVec3) -> f64 {
    beside(collider, edge).into_iter().sum::<DVec3>().dot(direction)
}

/// Whether what is beside an edge lies along a direction, but for a sine of `rise`.
fn stays_above(collider: &Collider, edge: &FacetEdge, direction: DVec3, rise: f64) -> bool {
    beside(collider, edge).into_iter().all(|way| way.dot(direction) > -rise)
}
