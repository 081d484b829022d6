//! Loads on a body from outside.

use glam::DVec3;

use crate::force::PointForces;

/// Loads on a body from outside during a step.
#[derive(Debug, Clone, Copy)]
pub struct External<'a> {
    /// Acceleration of gravity, in m/s².
    pub gravity: DVec3,
    /// Velocity decay rate on top of the damping of the method, in 1/s.
    pub damping: f64,
    /// Forces on points of the skin, linearised at its position at the start of the step.
    pub points: &'a PointForces,
}
