//! An edge of an obstacle and an edge of a skin.

use glam::DVec3;

use crate::contact::detect::collider::facet_edge::FacetEdge;
use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;
use pliant_mesh::geometry::{ShapeEdge, segment_segment};

use super::meeting::{Meeting, PartsNear, first_meeting};
use super::moving_skin::MovingSkin;

/// Squared sine of the angle below which edges are parallel: their ends touch then.
const PARALLEL_SINE_SQUARED: f64 = 1e-3;

/// An edge of a skin, and the radius by which the edges of an obstacle are rounded, in m.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeInPath<'a> {
    pub(super) skin: MovingSkin<'a>,
    pub(super) edge: &'a FacetEdge,
    pub(super) rounding: f64,
}

/// Two edges that meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgesMeet {
    pub(super) meeting: Meeting,
    /// The point of the edge of the obstacle, from 0 at its start to 1.
    pub(super) along: f64,
    /// Distance of the nearest points across the normal, in lengths of the shorter edge: above zero if one of them is an end.
    pub(super) aside: f64,
    /// Height of the point of the skin above the edge of the obstacle, in m; negative if that edge is inside the skin.
    pub(super) above: f64,
}

impl EdgeInPath<'_> {
    /// Follows the edge of the skin towards an edge of the obstacle.
    pub(super) fn towards(&self, other: &ShapeEdge) -> Option<EdgesMeet> {
        let length = self.skin.longest_path(&self.edge.vertices);
        let meeting = first_meeting(length, |time| self.approach(other, time))?;
        let [a, b] = self.skin.at(self.edge.vertices, meeting.time);
        let (s, t, _) = segment_segment([a, b], other.ends);
        let span = a.lerp(b, s) - other.ends[0].lerp(other.ends[1], t);
        let above = span.dot(meeting.plane.normal);
        let shorter = a.distance(b).min(other.ends[0].distance(other.ends[1]));
        let aside = (span - above * meeting.plane.normal).length() / shorter;
        Some(EdgesMeet { meeting, along: t, aside, above })
    }

    fn approach(&self, other: &ShapeEdge, time: f64) -> PartsNear {
        let [a, b] = self.skin.at(self.edge.vertices, time);
        let (s, t, squared) = segment_segment([a, b], other.ends);
        let nearest = other.ends[0].lerp(other.ends[1], t);
        let meeting = self.normal(other, time).map(|normal| {
            let plane = HalfSpace { point: nearest + self.rounding * normal, normal };
            let point = Feature::edge(self.edge.vertices, s);
            Meeting { point, plane, gap: plane.gap(a.lerp(b, s)), time }
        });
        PartsNear { distance: squared.sqrt() - self.rounding, meeting }
    }

    /// The direction across both edges to the side on which the triangles of the skin lie; `None` for parallel edges.
    fn normal(&self, other: &ShapeEdge, time: f64) -> Option<DVec3> {
        let [a, b] = self.skin.at(self.edge.vertices, time);
        let (u, v) = (b - a, other.ends[1] - other.ends[0]);
        let across = u.cross(v);
        let least = PARALLEL_SINE_SQUARED * u.length_squared() * v.length_squared();
        if across.length_squared() <= least {
            return None;
        }
        let normal = across.try_normalize()?;
        let outward = self.skin.outward(self.edge, time);
        Some(if outward.dot(normal) < 0.0 { normal } else { -normal })
    }
}
