//! A corner of an obstacle and a triangle of a skin.

use glam::DVec3;

use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;
use pliant_mesh::geometry::{ShapeCorner, point_triangle};

use super::meeting::{Meeting, PartsNear, first_meeting};
use super::moving_skin::MovingSkin;

/// Least sine by which the triangles beside an edge rise above a rounded corner that meets the edge: it meets the edge and not the inside
/// of one of them. Below zero by rounding only, so that it meets one of the three in any case.
const EDGE_RISE: f64 = 1e-9;

/// A corner of an obstacle near a triangle of a skin.
#[derive(Debug, Clone, Copy)]
pub(super) struct CornerNear {
    pub(super) corner: ShapeCorner,
    pub(super) triangle: u32,
    /// Distance of the corner from the triangle at the start of the step, in m.
    pub(super) distance: f64,
    /// True if the corner is then on the outer side of the triangle.
    pub(super) in_front: bool,
    /// Where they meet in the step, if they do.
    pub(super) meeting: Option<Meeting>,
}

/// A triangle of a skin, and the radius by which the corners of an obstacle are rounded, in m.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleInPath<'a> {
    pub(super) skin: MovingSkin<'a>,
    pub(super) triangle: u32,
    pub(super) rounding: f64,
}

impl TriangleInPath<'_> {
    /// Follows the triangle towards a corner.
    pub(super) fn towards(&self, corner: ShapeCorner) -> CornerNear {
        let vertices = self.skin.facets.triangles()[self.triangle as usize];
        let [a, b, c] = self.skin.at(vertices, 0.0);
        let (_, squared) = point_triangle(corner.point, [a, b, c]);
        let in_front = (b - a).cross(c - a).dot(corner.point - a) >= 0.0;
        let length = self.skin.longest_path(&vertices);
        let meeting = first_meeting(length, |time| self.approach(corner.point, time));
        CornerNear { corner, triangle: self.triangle, distance: squared.sqrt(), in_front, meeting }
    }

    fn approach(&self, corner: DVec3, time: f64) -> PartsNear {
        let vertices = self.skin.facets.triangles()[self.triangle as usize];
        let corners = self.skin.at(vertices, time);
        let (weights, squared) = point_triangle(corner, corners);
        let point = Feature::triangle(vertices, weights);
        let meeting = match weights.map(|w| w > 0.0) {
            [true, true, true] => face_normal(corners).map(|normal| (point, -normal)),
            [true, true, false] => self.on_edge(0, weights[1], corner, time),
            [false, true, true] => self.on_edge(1, weights[2], corner, time),
            [true, false, true] => self.on_edge(2, weights[0], corner, time),
            _ => None,
        };
        let meeting = meeting.map(|(point, normal)| {
            let plane = HalfSpace { point: corner + self.rounding * normal, normal };
            Meeting { point, plane, gap: plane.gap(self.skin.point(&point, time)), time }
        });
        PartsNear { distance: squared.sqrt() - self.rounding, meeting }
    }

    /// A rounded corner that is nearest to an edge of the triangle: the point of the edge, and the direction to it. Sharp corners meet
    /// triangles and not their edges.
    fn on_edge(&self, side: usize, t: f64, corner: DVec3, time: f64) -> Option<(Feature, DVec3)> {
        let Self { skin, triangle, rounding } = *self;
        let edge = skin.facets.edge_of(triangle, side);
        let owned = edge.triangles.into_iter().flatten().min() == Some(triangle);
        if !owned || rounding == 0.0 {
            return None;
        }
        let vertices = skin.facets.triangles()[triangle as usize];
        let ends = [vertices[side], vertices[(side + 1) % 3]];
        let [a, b] = skin.at(ends, time);
        let normal = (a.lerp(b, t) - corner).try_normalize()?;
        let meets = skin.is_above(edge, time, normal, EDGE_RISE);
        meets.then(|| (Feature::edge(ends, t), normal))
    }
}

fn face_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    (b - a).cross(c - a).try_normalize()
}
