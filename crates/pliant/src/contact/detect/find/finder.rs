//! The narrow phase: contacts of two surfaces, or of one with itself, within a step.

use glam::DVec3;

use crate::contact::detect::collider::collider::Collider;
use crate::contact::detect::contact::Contact;

use super::{edges, own_surface, vertices};

/// Finds contacts, and keeps the buffers for it.
///
/// Contacts are vertices of one surface on triangles of the other, both ways, and sharp edges on sharp edges.
/// A contact is reported where surfaces overlap, or would overlap by the end of the step with their velocities at its start. The same
/// surfaces give the same contacts in the same order.
///
/// Vertices are found to a depth of [`Collider::depth`], and each has at most one contact with another surface.
/// So the time is bounded: one tree search per vertex, and one test per pair of edges whose boxes overlap.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// Vertices to check.
    vertices: Vec<u32>,
}

/// A contact is left to later steps if its gap exceeds that of the first ones to close by more than this, in spacings of its
/// vertices: it will not close, since the first ones stop the bodies. A force linear in the new velocity does not contain that,
/// and would pull the surfaces together.
const STRAGGLER_GAP: f64 = 0.5;

/// Such a contact is kept if it would end the step deeper than this, in spacings: the first contacts stop a fast soft body only
/// where they are.
const STRAGGLER_DEPTH: f64 = 1.0;

impl Finder {
    /// Adds the contacts between two refitted surfaces to `contacts`, with features of `first` first. Points nearer than
    /// `thickness`, in m, are in contact, and gaps are reduced by it. `known` returns the normal of a contact in the last step, by its
    /// [key](Contact::key).
    pub fn between(
        &mut self,
        first: &Collider,
        second: &Collider,
        thickness: f64,
        known: impl Fn([u32; 4]) -> Option<DVec3>,
        contacts: &mut Vec<Contact>,
    ) {
        const NONE: u32 = u32::MAX;
        let begin = contacts.len();
        let own = |vertex: u32| known([vertex, NONE, NONE, NONE]);
        vertices::vertices_on(&mut self.vertices, first, second, thickness, own, contacts);
        let middle = contacts.len();
        let others = |vertex: u32| known([NONE, NONE, vertex, NONE]).map(|normal| -normal);
        vertices::vertices_on(&mut self.vertices, second, first, thickness, others, contacts);
        contacts[middle..].iter_mut().for_each(|contact| *contact = contact.turned());
        let sunk = contacts[begin..].iter().map(|contact| -contact.gap).reduce(f64::max);
        edges::edges_on_edges(first, second, (thickness, sunk), known, contacts);
        drop_stragglers(first, second, begin, contacts);
    }

    /// Adds the contacts of a refitted surface with itself: vertices on triangles that face them and are not near them at rest.
    pub fn within(&mut self, collider: &Collider, thickness: f64, contacts: &mut Vec<Contact>) {
        let begin = contacts.len();
        own_surface::vertices_on_own(collider, thickness, contacts);
        drop_stragglers(collider, collider, begin, contacts);
    }
}

/// Removes contacts from `begin` on that will not close in this step, as the first ones stop the bodies.
fn drop_stragglers(first: &Collider, second: &Collider, begin: usize, contacts: &mut Vec<Contact>) {
    let nearest = contacts[begin..].iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    let spacing = |contact: &Contact| {
        let at = |collider: &Collider, vertex: u32| collider.facets().spacing_at(vertex as usize);
        match (contact.first.vertices(), contact.second.vertices()) {
            ([vertex], _) => at(first, *vertex),
            (_, [vertex]) => at(second, *vertex),
            ([a, ..], [b, ..]) => at(first, *a).min(at(second, *b)),
            _ => 0.0,
        }
    };
    let at_end = |contact: &Contact| {
        let slip = contact.first.blend(first.v()) - contact.second.blend(second.v());
        contact.gap + first.h() * contact.normal.dot(slip)
    };
    // Compacts in place and keeps the order, on which the bits of the step depend.
    let mut kept = begin;
    for k in begin..contacts.len() {
        let (contact, spacing) = (&contacts[k], spacing(&contacts[k]));
        let near = contact.gap <= nearest.max(0.0) + STRAGGLER_GAP * spacing;
        if near || at_end(contact) < -STRAGGLER_DEPTH * spacing {
            contacts.swap(kept, k);
            kept += 1;
        }
    }
    contacts.truncate(kept);
}
