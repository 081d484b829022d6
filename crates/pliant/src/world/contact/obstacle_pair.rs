//! A body and an obstacle in contact.

use glam::DVec3;

use crate::world::slot::handle::{BodyHandle, ObstacleHandle};

/// A body that an obstacle pushed in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstaclePair {
    /// The body.
    pub body: BodyHandle,
    /// The obstacle.
    pub obstacle: ObstacleHandle,
    /// The impulse of all points together on the body, in N·s.
    pub impulse: DVec3,
    /// The strongest impulse of a single point, in N·s.
    pub strongest: f64,
    /// Where that was, in m.
    pub point: DVec3,
    /// The normal of the obstacle there.
    pub normal: DVec3,
}
