//! The corners and edges of shapes.

use glam::DVec3;

use super::{Aabb, Shape};

/// A convex corner of a shape, or the middle of a round end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeCorner {
    /// Its number among the corners of the shape.
    pub number: u32,
    /// Its position, in the frame of the shape, in m.
    pub point: DVec3,
}

/// A convex edge of a shape, or the middle line of a round side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeEdge {
    /// Its number among the edges of the shape.
    pub number: u32,
    /// Its ends, in the frame of the shape, in m.
    pub ends: [DVec3; 2],
}

/// The features with which a shape can touch the inside of a triangle or an edge, where no vertex of that surface touches it:
/// convex corners and edges, at the distance [`Shape::rounding`] below the surface of the shape.
///
/// A sphere is a rounded corner, a capsule two rounded corners and a rounded edge. A plane has none: no point of a triangle is
/// deeper in it than a corner of the triangle.
impl Shape {
    /// True if it has corners or edges.
    pub fn has_features(&self) -> bool {
        !matches!(self, Self::Plane { .. })
    }

    /// The distance of the surface from its corners and edges, in m.
    pub fn rounding(&self) -> f64 {
        match *self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => radius,
            Self::Plane { .. } | Self::Box { .. } | Self::Surface(_) => 0.0,
        }
    }

    /// Calls `visit` for every corner within `bounds`, in the frame of the shape.
    pub fn corners_in(&self, bounds: &Aabb, mut visit: impl FnMut(ShapeCorner)) {
        let mut known = |number: u32, point: DVec3| {
            if bounds.contains(point) {
                visit(ShapeCorner { number, point });
            }
        };
        match *self {
            Self::Plane { .. } => {}
            Self::Sphere { .. } => known(0, DVec3::ZERO),
            Self::Capsule { half_length, .. } => {
                for number in 0..1 + u32::from(half_length > 0.0) {
                    known(number, capsule_end(number, half_length));
                }
            }
            Self::Box { half } => (0..8).for_each(|number| known(number, signs(number) * half)),
            Self::Surface(ref surface) => surface.features().corners_in(bounds, known),
        }
    }

    /// Calls `visit` for every edge whose box overlaps `bounds`, in the frame of the shape.
    pub fn edges_in(&self, bounds: &Aabb, mut visit: impl FnMut(ShapeEdge)) {
        let mut known = |number: u32, ends: [DVec3; 2]| {
            if Aabb::of(ends).overlaps(bounds) {
                visit(ShapeEdge { number, ends });
            }
        };
        match *self {
            Self::Plane { .. } | Self::Sphere { .. } => {}
            Self::Capsule { half_length, .. } => {
                if half_length > 0.0 {
                    known(0, [0, 1].map(|number| capsule_end(number, half_length)));
                }
            }
            Self::Box { half } => {
                (0..12).for_each(|number| known(number, box_edge(number).map(|end| end * half)));
            }
            Self::Surface(ref surface) => surface.features().edges_in(bounds, known),
        }
    }

    /// True if all of the shape near a corner lies below the plane through the corner with this normal, up to a sine of `rise`.
    pub fn is_below_corner(&self, corner: u32, normal: DVec3, rise: f64) -> bool {
        match self {
            Self::Plane { .. } | Self::Sphere { .. } => true,
            Self::Capsule { half_length, .. } => {
                *half_length == 0.0 || capsule_end(corner, 1.0).dot(normal) >= -rise
            }
            Self::Box { .. } => (signs(corner) * normal).min_element() >= -rise,
            Self::Surface(surface) => surface.features().is_below_corner(corner, normal, rise),
        }
    }

    /// True if all of the shape near an edge lies below the plane through the edge with this normal, up to a sine of `rise`.
    pub fn is_below_edge(&self, edge: u32, normal: DVec3, rise: f64) -> bool {
        match self {
            Self::Plane { .. } | Self::Sphere { .. } | Self::Capsule { .. } => true,
            Self::Box { .. } => {
                let [start, end] = box_edge(edge);
                // Zero along the edge, and out of the box across it.
                (0.5 * (start + end) * normal).min_element() >= -rise
            }
            Self::Surface(surface) => surface.features().is_below_edge(edge, normal, rise),
        }
    }
}

/// The ends of the middle line of a capsule.
fn capsule_end(number: u32, half_length: f64) -> DVec3 {
    if number == 0 { -half_length * DVec3::Y } else { half_length * DVec3::Y }
}

/// The corners of a cube with sides of length 2, by the bits of their number.
fn signs(corner: u32) -> DVec3 {
    let sign = |axis: u32| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
    DVec3::new(sign(0), sign(1), sign(2))
}

/// The edges of a cube with sides of length 2: four along each axis.
fn box_edge(number: u32) -> [DVec3; 2] {
    let (axis, around) = (number / 4, number % 4);
    let across = [(axis + 1) % 3, (axis + 2) % 3];
    let start = (around & 1) << across[0] | (around >> 1) << across[1];
    [signs(start), signs(start | 1 << axis)]
}
