//! A frame that turns with a body during a step.
//!
//! In a frame that turns with the body, a rigid rotation is rest: a rule for steps in time neither damps it nor mistakes it for
//! a deformation. With the angular velocity ω of the body at the start of the step, positions r = x − c relative to the centre and
//! velocities w relative to the rigid motion obey
//!
//! ```text
//! dr/dt = w        M dw/dt = f(r) − M [2 ω × w + ω × (ω × r)]
//! ```
//!
//! The Coriolis term alone turns w by −2 ω h in a step, so the velocities of earlier states are turned by it, exactly; the centrifugal
//! term is a force. Derived here.

use glam::{DMat3, DQuat, DVec3};

/// The frame of one step.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurningFrame {
    /// Angular velocity, in rad/s.
    pub(super) spin: DVec3,
    /// Length of the step, in s.
    h: f64,
}

impl TurningFrame {
    pub(super) fn new(spin: DVec3, h: f64) -> Self {
        Self { spin, h }
    }

    /// The rotation of the frame in some steps.
    fn turn(&self, steps: f64) -> DMat3 {
        DMat3::from_quat(DQuat::from_scaled_axis(steps * self.h * self.spin))
    }

    /// Takes positions relative to the centre, `age` steps before the end of this step, to the frame at its end.
    pub(super) fn carry_positions(&self, age: f64) -> DMat3 {
        self.turn(age)
    }

    /// The same for velocities relative to the rigid motion, with the Coriolis term.
    pub(super) fn carry_velocities(&self, age: f64) -> DMat3 {
        self.turn(-age)
    }

    /// The centrifugal acceleration at r, in m/s².
    pub(super) fn centrifugal(&self, r: DVec3) -> DVec3 {
        -self.spin.cross(self.spin.cross(r))
    }
}
