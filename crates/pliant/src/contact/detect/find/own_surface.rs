//! Contacts of a surface with itself.

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::collider::facets::Facets;
use crate::contact::detect::contact::Contact;

use super::nearest::{MovingVertex, nearest_point};

/// Depth to which vertices are searched inside their own surface, in spacings. Less than between surfaces: a body pressed flat
/// does not intersect itself.
const SELF_DEPTH: f64 = 0.75;

/// Largest search distance, in spacings, for vertices of any speed.
const SELF_REACH: f64 = 4.0;

/// Adds the contacts of vertices with triangles of their own surface.
pub(super) fn vertices_on_own(on: &Collider, thickness: f64, contacts: &mut Vec<Contact>) {
    for vertex in 0..on.facets().vertex_count() as u32 {
        contacts.extend(contact(vertex, on, thickness));
    }
}

fn contact(vertex: u32, on: &Collider, thickness: f64) -> Option<Contact> {
    let (x, v) = (on.x()[vertex as usize], on.v()[vertex as usize]);
    let spacing = on.facets().spacing_at(vertex as usize);
    let reach = on.travel(v).clamp(SELF_DEPTH * spacing, SELF_REACH * spacing) + thickness;
    let neighbours = on.facets().neighbours();
    let point = nearest_point(x, on, reach, |triangle| !neighbours.contains(vertex, triangle))?;
    let facing = on.facets().vertex_normal(on.x(), vertex).dot(on.triangle_normal(point.triangle))
        < Facets::FACING_COSINE;
    let shallow = point.gap > -SELF_DEPTH * spacing;
    (facing && shallow)
        .then(|| MovingVertex { vertex, x, v }.contact(&point, on, thickness))
        .flatten()
}
