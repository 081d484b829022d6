//! Shapes and their signed distance functions.

use std::sync::Arc;

use glam::DVec3;

use super::{ShapeError, SolidError, SolidSurface, Surface};

/// A solid in its own frame.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::Shape;
///
/// let touch = Shape::Sphere { radius: 2.0 }.distance(DVec3::new(0.0, 5.0, 0.0));
/// assert_eq!((touch.distance, touch.normal), (3.0, DVec3::Y));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The half-space below the plane through the origin; `normal` points out of it.
    Plane {
        /// Direction out of the solid; its length does not matter.
        normal: DVec3,
    },
    /// A ball about the origin.
    Sphere {
        /// Radius, in m.
        radius: f64,
    },
    /// A box about the origin, aligned with the axes.
    Box {
        /// Half of its side lengths, in m.
        half: DVec3,
    },
    /// A capsule: the points within `radius` of a segment of the y axis about the origin.
    Capsule {
        /// Half the length of that segment, in m; without the round ends.
        half_length: f64,
        /// Radius, in m.
        radius: f64,
    },
    /// The solid behind a surface of triangles.
    Surface(Arc<SolidSurface>),
}

/// The signed distance and normal of a shape at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedDistance {
    /// Distance to the surface, negative inside, in m.
    pub distance: f64,
    /// Unit vector out of the solid: the gradient of the distance. Where there is no gradient (the middle of a ball,
    /// an edge), one of the gradients nearby.
    pub normal: DVec3,
}

/// Allowed lengths of shapes, in m.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

impl Shape {
    /// The solid behind a surface of triangles.
    ///
    /// # Errors
    ///
    /// Fails if the surface is empty, or has invalid vertices or triangles.
    pub fn of_surface(surface: &Surface) -> Result<Self, SolidError> {
        Ok(Self::Surface(Arc::new(SolidSurface::new(surface)?)))
    }

    /// Checks every value, so that other functions need not.
    pub fn check(&self) -> Result<(), ShapeError> {
        match *self {
            Self::Plane { normal } => check_normal(normal),
            Self::Sphere { radius } => check_length("the radius of a sphere", radius),
            Self::Box { half } => half
                .to_array()
                .into_iter()
                .try_for_each(|side| check_length("half the side of a box", side)),
            Self::Capsule { half_length, radius } => {
                if half_length != 0.0 {
                    check_length("half the length of a capsule", half_length)?;
                }
                check_length("the radius of a capsule", radius)
            }
            // It was checked when it was made.
            Self::Surface(_) => Ok(()),
        }
    }

    /// Returns the signed distance and outward normal at a point, in the frame of the shape.
    ///
    /// Defined everywhere, and 1-Lipschitz: the distance changes at most by the distance that the point moves (except
    /// for the change of sign beyond the border of an open surface).
    pub fn distance(&self, point: DVec3) -> SignedDistance {
        match *self {
            Self::Plane { normal } => {
                let normal = unit_or(normal, DVec3::Y);
                SignedDistance { distance: normal.dot(point), normal }
            }
            Self::Sphere { radius } => round(point, radius, DVec3::Y),
            Self::Box { half } => box_distance(point, half),
            Self::Capsule { half_length, radius } => {
                let along = point.y.clamp(-half_length, half_length);
                round(point - along * DVec3::Y, radius, DVec3::X)
            }
            Self::Surface(ref surface) => surface.distance(point),
        }
    }

    /// Returns true if a point is certainly farther away than `reach`, in m. May return false for such a point where
    /// the test would cost as much as the distance itself.
    pub fn is_beyond(&self, point: DVec3, reach: f64) -> bool {
        match self {
            Self::Surface(surface) => surface.is_beyond(point, reach),
            _ => false,
        }
    }
}

/// Distance to a ball about the origin; at its centre the normal is `middle`.
fn round(point: DVec3, radius: f64, middle: DVec3) -> SignedDistance {
    SignedDistance { distance: point.length() - radius, normal: unit_or(point, middle) }
}

/// Outside, the normal points away from the nearest point of the box; inside, to the nearest side.
fn box_distance(point: DVec3, half: DVec3) -> SignedDistance {
    let beyond = point.abs() - half;
    let outward = DVec3::ONE.copysign(point);
    let outside = beyond.max(DVec3::ZERO);
    let nearest = beyond.max_element();
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][largest(beyond)] * outward;
    if nearest <= 0.0 {
        return SignedDistance { distance: nearest, normal: axis };
    }
    SignedDistance { distance: outside.length(), normal: unit_or(outside * outward, axis) }
}

/// Index of the first of the largest components.
fn largest(v: DVec3) -> usize {
    if v.x >= v.y && v.x >= v.z {
        0
    } else if v.y >= v.z {
        1
    } else {
        2
    }
}

/// The direction of `v`; `otherwise` if `v` is so short that its square underflows.
fn unit_or(v: DVec3, otherwise: DVec3) -> DVec3 {
    const MIN_LENGTH: f64 = 1e-100;
    let length = v.length();
    if length > MIN_LENGTH { v / length } else { otherwise }
}

fn check_length(field: &'static str, value: f64) -> Result<(), ShapeError> {
    let expected = "a positive length from 1e-9 to 1e9 m";
    if LENGTHS.contains(&value) {
        Ok(())
    } else {
        Err(ShapeError::Length { field, value, expected })
    }
}

fn check_normal(normal: DVec3) -> Result<(), ShapeError> {
    let [x, y, z] = normal.to_array();
    let sound = normal.is_finite() && LENGTHS.contains(&normal.length());
    if sound { Ok(()) } else { Err(ShapeError::Normal { x, y, z }) }
}
