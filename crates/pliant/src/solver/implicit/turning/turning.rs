//! A step in a turning frame.

use glam::DVec3;

use super::rigid_motion::CentreMotion;
use super::turning_frame::TurningFrame;

/// A rule for a step in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver::implicit) enum FrameRule {
    /// Implicit Euler, from the present state.
    OneStep,
    /// BDF2, from the present and the previous state.
    TwoStep,
}

/// A step in a turning frame, from its start to its end.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver::implicit) struct Turning {
    pub(super) frame: TurningFrame,
    /// The motion of the centre at the start.
    pub(super) begin: CentreMotion,
    /// The angular velocity of the body at the start, in rad/s, if it turns freely.
    pub(super) start: Option<DVec3>,
    /// The angular momentum of the body at the start, in N m s, if nothing acts on the body but gravity.
    pub(super) angular: Option<DVec3>,
    /// The time of the stage, in s: x⁺ = x̄ + g w⁺. It is h for Euler and 2h/3 for BDF2.
    pub(super) g: f64,
}
