//! A point where two bodies touch.

use glam::DVec3;

use crate::world::slot::handle::BodyHandle;

/// A point where two bodies touch, or one touches itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// The two bodies; twice the same if a body touches itself.
    pub bodies: [BodyHandle; 2],
    /// The point on the first body, in m.
    pub position: DVec3,
    /// Unit vector from the second body to the first: motion of the first along it separates them.
    pub normal: DVec3,
    /// Distance along the normal, in m; negative where they overlap.
    pub gap: f64,
}
