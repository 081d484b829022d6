//! The search for corners and edges of an obstacle that meet triangles and edges of a skin.

use glam::DVec3;

use crate::contact::detect::collider::facet_edge::FacetEdge;
use crate::contact::detect::collider::facets::Facets;
use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;
use crate::contact::obstacle::point_contact::ObstaclePart;
use pliant_mesh::geometry::{Shape, ShapeEdge};

use super::corner::{CornerNear, TriangleInPath};
use super::edge::{EdgeInPath, EdgesMeet};
use super::moving_skin::MovingSkin;

/// Depth to which corners and edges are searched inside a skin, in spacings.
const DEPTH: f64 = 0.5;

/// Height of a point of the skin in the obstacle, over its distance from the corner or edge, up to which that corner or edge came in there. Far
/// sides of the skin are outside the obstacle by their whole distance.
const OUTSIDE: f64 = 0.5;

/// Spacing over the radius of a rounded corner or edge, up to which vertices suffice: between them the skin sinks in by less than two hundredths of the
/// spacing. A soft skin wraps around the obstacle with every triangle, whose contacts would come and go.
const FINE: f64 = 0.08;

/// Least distance of the nearest points of a new contact from the ends of their edges, in lengths of the edge.
const FROM_END: f64 = 1e-6;

/// Conditions for an edge or corner to touch: strict for a new contact, so that only certain ones start; loose for one of the last
/// step, which would otherwise end and start again in every other step.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Largest rise of either surface beside the contact across the plane between them, as a sine.
    rise: f64,
    /// Largest distance between the nearest points of edges across the normal, in lengths of the shorter edge.
    aside: f64,
}

const NEW: Limits = Limits { rise: 0.1, aside: 1e-9 };
const KEPT: Limits = Limits { rise: 0.4, aside: 0.1 };

/// A point of a skin that meets a corner or edge of an obstacle, in the frame of the obstacle.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact::obstacle) struct Found {
    pub(in crate::contact::obstacle) point: Feature,
    pub(in crate::contact::obstacle) part: ObstaclePart,
    pub(in crate::contact::obstacle) plane: HalfSpace,
    /// True if it was in contact in the last step.
    pub(in crate::contact::obstacle) known: bool,
}

impl Found {
    /// True for a corner of the obstacle.
    pub(in crate::contact::obstacle) fn is_corner(&self) -> bool {
        matches!(self.part, ObstaclePart::Corner(_))
    }
}

/// The vertices of a skin in a step, in the frame of an obstacle, and the parts of the obstacle that they meet.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::obstacle) struct FeatureSearch {
    /// Positions at the start and at the end of the step, in m.
    pub(in crate::contact::obstacle) start: Vec<DVec3>,
    pub(in crate::contact::obstacle) end: Vec<DVec3>,
    /// Distances from the obstacle that the vertices keep during the step, in m.
    pub(in crate::contact::obstacle) clearance: Vec<f64>,
    corners: Vec<CornerNear>,
    pub(in crate::contact::obstacle) found: Vec<Found>,
}

/// Tells if a contact of a part of the obstacle, with an edge or a triangle of the skin, at a point and with a normal, was there in the last step.
pub(in crate::contact::obstacle) type Known<'a> =
    &'a dyn Fn(ObstaclePart, &Feature, DVec3, DVec3) -> bool;

impl FeatureSearch {
    /// With memory for this number of contacts, each of which a few triangles are near.
    pub(in crate::contact::obstacle) fn with_room(count: usize) -> Self {
        let (corners, found) = (Vec::with_capacity(4 * count), Vec::with_capacity(count));
        Self { corners, found, ..Self::default() }
    }

    /// Forgets the vertices of the last search.
    pub(in crate::contact::obstacle) fn clear(&mut self) {
        self.start.clear();
        self.end.clear();
        self.clearance.clear();
        self.found.clear();
    }

    /// Adds the next vertex.
    pub(in crate::contact::obstacle) fn push(&mut self, [start, end]: [DVec3; 2], clearance: f64) {
        self.start.push(start);
        self.end.push(end);
        self.clearance.push(clearance);
    }

    /// Finds the contacts of a shape with the triangles and edges between the vertices.
    pub(in crate::contact::obstacle) fn search(
        &mut self,
        shape: &Shape,
        facets: &Facets,
        known: Known<'_>,
    ) {
        let Self { start, end, clearance, corners, found } = self;
        corners.clear();
        let near = ShapeNear { shape, skin: MovingSkin { facets, start, end }, known };
        for triangle in 0..facets.triangles().len() as u32 {
            if facets.is_solid(triangle) && near.may_touch(triangle, clearance) {
                near.add_corners(triangle, corners);
                for edge in facets.owned_facet_edges(triangle) {
                    near.add_edges(edge, found);
                }
            }
        }
        corners.sort_unstable_by_key(|near| (near.corner.number, near.triangle));
        for group in corners.chunk_by(|a, b| a.corner.number == b.corner.number) {
            near.choose_meetings(group, found);
        }
    }
}

/// A shape, and a skin that may be near it.
struct ShapeNear<'a> {
    shape: &'a Shape,
    skin: MovingSkin<'a>,
    known: Known<'a>,
}

impl ShapeNear<'_> {
    /// False if a triangle is small compared with the roundness of the shape, or keeps away from it: no point of it is farther from the nearest corner than its longest side over √3.
    fn may_touch(&self, triangle: u32, clearance: &[f64]) -> bool {
        let corners = self.skin.facets.triangles()[triangle as usize];
        let least =
            corners.map(|k| clearance[k as usize]).into_iter().fold(f64::INFINITY, f64::min);
        let longest_squared = |x: &[DVec3]| {
            let [a, b, c] = corners.map(|k| x[k as usize]);
            a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a))
        };
        let side = longest_squared(self.skin.start).max(longest_squared(self.skin.end));
        let fine = self.depth(&corners) < DEPTH * FINE * self.shape.rounding();
        !fine && (least <= 0.0 || 3.0 * least * least <= side)
    }

    /// The depth to which this part of the skin is searched, in m.
    fn depth(&self, vertices: &[u32]) -> f64 {
        let spacing = |k: &u32| self.skin.facets.spacing_at(*k as usize);
        DEPTH * vertices.iter().map(spacing).fold(0.0, f64::max)
    }

    fn add_corners(&self, triangle: u32, corners: &mut Vec<CornerNear>) {
        let vertices = self.skin.facets.triangles()[triangle as usize];
        let rounding = self.shape.rounding();
        let bounds = self.skin.bounds(&vertices).inflated(self.depth(&vertices) + rounding);
        let path = TriangleInPath { skin: self.skin, triangle, rounding };
        self.shape.corners_in(&bounds, |corner| corners.push(path.towards(corner)));
    }

    /// Adds the points where a corner of the shape meets the skin, from all triangles near it.
    fn choose_meetings(&self, group: &[CornerNear], found: &mut Vec<Found>) {
        /// Distances that differ by less, as a part of them, are equal.
        const EQUAL: f64 = 1e-6;
        let nearest = group.iter().map(|near| near.distance).fold(f64::INFINITY, f64::min);
        // The nearest triangle decides on which side of the skin the corner is.
        let is_nearest = |near: &&CornerNear| near.distance <= (1.0 + EQUAL) * nearest;
        let outside = group.iter().filter(is_nearest).any(|near| near.in_front);
        let meets = |near: &CornerNear| self.corner_meeting(near, outside);
        if outside && self.shape.rounding() > 0.0 {
            found.extend(group.iter().filter_map(meets));
            return;
        }
        let first = |a: &(f64, Found), b: &(f64, Found)| {
            b.1.known.cmp(&a.1.known).then(a.0.total_cmp(&b.0))
        };
        let each = group.iter().filter_map(|near| Some((near.distance, meets(near)?)));
        found.extend(each.min_by(first).map(|(_, one)| one));
    }

    /// The meeting of a corner that starts outside or inside the skin with a triangle, if it is allowed.
    fn corner_meeting(&self, near: &CornerNear, outside: bool) -> Option<Found> {
        let meeting = near.meeting?;
        let (part, normal) = (ObstaclePart::Corner(near.corner.number), meeting.plane.normal);
        let known = (self.known)(part, &meeting.point, meeting.plane.point, normal);
        let limits = if known { KEPT } else { NEW };
        let starts_here = outside == near.in_front;
        let allowed = starts_here
            && self.shape.is_below_corner(near.corner.number, normal, limits.rise)
            && (near.in_front || self.came_in(&meeting.point, near.distance))
            && meeting.gap >= -self.depth(meeting.point.vertices()) - self.shape.rounding();
        allowed.then_some(Found { point: meeting.point, part, plane: meeting.plane, known })
    }

    fn add_edges(&self, edge: &FacetEdge, found: &mut Vec<Found>) {
        let rounding = self.shape.rounding();
        let depth = self.depth(&edge.vertices);
        let bounds = self.skin.bounds(&edge.vertices).inflated(depth + rounding);
        let path = EdgeInPath { skin: self.skin, edge, rounding };
        self.shape.edges_in(&bounds, |other| {
            let meets = path.towards(&other);
            found.extend(meets.and_then(|meets| self.edge_meeting(edge, &other, &meets)));
        });
    }

    fn edge_meeting(&self, edge: &FacetEdge, other: &ShapeEdge, at: &EdgesMeet) -> Option<Found> {
        let EdgesMeet { meeting, along, aside, above } = *at;
        let (part, normal) = (ObstaclePart::Edge(other.number), meeting.plane.normal);
        let known = (self.known)(part, &meeting.point, meeting.plane.point, normal);
        let limits = if known { KEPT } else { NEW };
        let inside = |t: f64| t > FROM_END && t < 1.0 - FROM_END;
        let begins = inside(along) && inside(meeting.point.weights()[1]);
        let allowed = (known || begins)
            && aside <= limits.aside
            && self.skin.is_above(edge, meeting.time, normal, limits.rise)
            && self.shape.is_below_edge(other.number, normal, limits.rise)
            && meeting.gap >= -self.depth(&edge.vertices) - self.shape.rounding()
            && (above >= 0.0 || self.edge_came_in(&meeting.point, above, known));
        allowed.then_some(Found { point: meeting.point, part, plane: meeting.plane, known })
    }

    /// True if an edge that is inside the skin, at this height above it, came in there.
    fn edge_came_in(&self, point: &Feature, above: f64, known: bool) -> bool {
        (known || self.shape.rounding() == 0.0) && self.came_in(point, -above)
    }

    /// True if a corner or edge inside the skin, at this distance from a point of it, came in there: the point is inside the shape.
    fn came_in(&self, point: &Feature, distance: f64) -> bool {
        let height = self.shape.distance(self.skin.point(point, 0.0)).distance;
        let most = if self.shape.rounding() > 0.0 { 0.0 } else { OUTSIDE * distance };
        height <= most
    }
}
