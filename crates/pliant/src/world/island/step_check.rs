//! The values with which a joint step is checked.

use crate::body::Kinematics;

/// The values with which a joint step is checked, and restrained if it creates energy.
#[derive(Debug, Clone, Default)]
pub(super) struct StepCheck {
    /// The energy that the contacts can give back, at the start of the step, in J.
    pub(super) contact_energy: f64,
    /// For every member whether one linearisation was not enough for its step.
    pub(super) rough: Vec<bool>,
    /// The end of the step of these members.
    pub(super) ends: Vec<Kinematics>,
}
