//! Contacts of corners and edges of obstacles with triangles and edges of a skin.

use glam::DVec3;

use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;
use crate::contact::law::vertex_law::VertexLaw;

use super::features::anchors::remembered_edge;
use super::features::search::Found;
use super::obstacle_contact::ObstacleContact;
use super::point_contact::PointContact;
use super::sweep::ObstacleSweep;

/// Depth below the plane between the vertices around it, in spacings, from which a corner or edge of an obstacle presses on a skin. Up to there the
/// vertices carry the skin alone, as on a flat obstacle.
const LEAST_EXCESS: f64 = 2e-3;

/// The same between vertices that all touch, as on a large sphere.
const EXCESS_BETWEEN: f64 = 1e-2;

/// Depth of a vertex that touches fully, in spacings.
const TOUCHING_DEPTH: f64 = 5e-4;

/// Depth at the start of the last step up to which a new contact of sharp edges is taken for one that arises now, in spacings: a little more than
/// that at which they press. Edges that were deeper came in by another way: the top edge of a box is behind the side of a body that
/// stands on it, but did not enter there.
const ENTRY_DEPTH: f64 = 2.0 * LEAST_EXCESS;

/// Distance within which the contact of a part of an obstacle is that of the last step, in spacings.
pub(super) const KEPT_REACH: f64 = 0.25;

/// What the vertices around a point carry of it.
#[derive(Debug, Clone, Copy, Default)]
struct VertexSupport {
    /// Depth of the plane between them, in m.
    borne: f64,
    /// The part of them that touches, by weight, from 0 to 1.
    touching: f64,
    /// The part of the depth of the point that they have, from 0 to 1.
    carried: f64,
}

impl ObstacleContact {
    /// Adds the contacts of corners and edges of an obstacle to those of vertices, which were found before.
    pub(super) fn find_feature_contacts(
        &mut self,
        obstacle: u32,
        sweep: &ObstacleSweep<'_>,
        (ahead, h): (f64, f64),
    ) {
        let Some(facets) = self.facets.clone().filter(|_| sweep.shape.has_features()) else {
            return;
        };
        let mut search = std::mem::take(&mut self.search);
        search.search(sweep.shape, &facets, &|part, point, place, normal| {
            let reach = KEPT_REACH * self.law_at(point).spacing;
            let edge = remembered_edge(part, point);
            self.feature_anchors.find((obstacle, part, edge), (place, normal), reach).is_some()
        });
        if !search.found.is_empty() {
            self.note_depths();
            // Corners first: edges may be as deep as they are.
            for corners in [true, false] {
                let sunk = self.deepest();
                for found in search.found.iter().filter(|found| found.is_corner() == corners) {
                    let contact = self.feature_contact(found, (obstacle, sweep), (ahead, h), sunk);
                    self.contacts.extend(contact);
                }
            }
        }
        self.search = search;
    }

    /// Depth of the deepest contact so far, in m; infinite if there is none.
    fn deepest(&self) -> f64 {
        let depths = self.contacts.iter().map(|contact| (-contact.gap).max(0.0));
        depths.reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    /// Stores the depth of every vertex in contact, with the direction out of the obstacle.
    fn note_depths(&mut self) {
        let Self { contacts, depths, x, .. } = self;
        depths.clear();
        depths.resize(x.len(), DVec3::ZERO);
        for contact in contacts {
            let vertex = contact.point.vertices()[0];
            depths[vertex as usize] = contact.gap.min(0.0) * -contact.plane.normal;
        }
    }

    /// The contact at a point where a skin meets a part of an obstacle, if it goes deeper than the vertices around it.
    ///
    /// ```text
    /// g* = g + Σ wₐ dₐ + (ε + (ε′ − ε) Σ wₐ min(1, dₐ/δs)) s        k = (1 − Σ wₐ min(1, dₐ/d)) k̄
    /// ```
    ///
    /// - `g`, `d` gap and depth of the point, in m; `wₐ` its weights
    /// - `dₐ` depths of the vertices along the normal of the point, in m; zero where they do not touch
    /// - `s` spacing, in m; `ε`, `ε′` least excess without and between touching vertices; `δ` the depth of a vertex that touches, in spacings
    /// - `k̄`, `k` mean stiffness at the vertices, and the stiffness of the contact, in N/m
    ///
    /// So the vertices carry what they can, and the point carries the rest: on a flat side nothing, and nothing jumps where a
    /// point on an edge moves to its end.
    fn feature_contact(
        &self,
        found: &Found,
        (obstacle, sweep): (u32, &ObstacleSweep<'_>),
        (ahead, h): (f64, f64),
        sunk: f64,
    ) -> Option<PointContact> {
        let (point, part, law) = (found.point, Some(found.part), self.law_at(&found.point));
        let normal = sweep.after.direction(found.plane.normal);
        let mut plane = HalfSpace { point: sweep.after.point(found.plane.point), normal };
        let (position, velocity) = (point.blend(&self.x), point.blend(&self.v));
        let surface = (sweep.after.point(sweep.before.local_point(position)) - position) / h;
        // The plane is where it is at the end of the step.
        let before = plane.gap(position) - h * normal.dot(velocity - 2.0 * surface);
        let entered = before >= -sunk - ENTRY_DEPTH * law.spacing || sweep.shape.rounding() > 0.0;
        let depth = -plane.gap(position);
        let VertexSupport { borne, touching, carried } = self.support(&point, normal, depth);
        let excess = LEAST_EXCESS + (EXCESS_BETWEEN - LEAST_EXCESS) * touching;
        plane.point -= (borne + excess * law.spacing) * normal;
        let touches = plane.gap(position + ahead * velocity + self.fall) < 0.0;
        let share = 1.0 - carried;
        let counts = touches && share * law.stiffness > 0.0;
        (counts && (found.known || found.is_corner() || entered)).then(|| {
            let gap = plane.gap(position);
            PointContact { obstacle, point, part, plane, gap, ignored_depth: 0.0, share }
        })
    }

    /// What the vertices around a point at this `depth`, in m, carry.
    fn support(&self, point: &Feature, normal: DVec3, depth: f64) -> VertexSupport {
        let full = TOUCHING_DEPTH * self.law_at(point).spacing;
        let mut support = VertexSupport::default();
        for (vertex, weight) in point.vertices().iter().zip(point.weights()) {
            let own = normal.dot(self.depths[*vertex as usize]).max(0.0);
            // Also where the point is not deep: below zero the vertices carry all.
            let share = if own < depth { own / depth } else { f64::from(u8::from(own > 0.0)) };
            support.borne += weight * own;
            support.touching += weight * (own / full).min(1.0);
            support.carried += weight * share;
        }
        support.carried = support.carried.min(1.0);
        support
    }

    /// The contact law at a point of the skin.
    pub(super) fn law_at(&self, point: &Feature) -> VertexLaw {
        VertexLaw::blend(&self.laws, point.vertices(), point.weights())
    }
}
