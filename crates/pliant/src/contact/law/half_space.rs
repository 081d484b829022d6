//! The solid side of a plane.

use glam::DVec3;

/// The solid side of a plane, which a point may not enter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// A point of the plane, in m.
    pub point: DVec3,
    /// Unit normal, out of the solid.
    pub normal: DVec3,
}

impl HalfSpace {
    /// Distance from the plane, negative in the solid, in m.
    pub fn gap(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.point)
    }
}
