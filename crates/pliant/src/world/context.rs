//! The inputs that all bodies share in a step.

use std::ops::RangeInclusive;

use crate::contact::{FrictionTable, Obstacle, OverlapRecovery};
use crate::force::PointForces;
use crate::solver::External;

use super::attach::attached::Attachments;
use super::config::WorldConfig;
use super::limits::StepLimits;

/// The read-only inputs of a step.
#[derive(Debug, Clone)]
pub(crate) struct StepContext<'a> {
    /// The time at the start of the step, in s.
    pub(crate) time: f64,
    /// The number of the step since the start of the world; two numbers for a double step, whose `config` has twice the `dt`.
    pub(crate) steps: RangeInclusive<u64>,
    pub(crate) config: &'a WorldConfig,
    pub(crate) limits: StepLimits,
    pub(crate) obstacles: &'a [Obstacle],
    pub(crate) frictions: &'a FrictionTable,
    /// How overlaps are resolved.
    pub(crate) recovery: OverlapRecovery,
    pub(crate) attachments: &'a Attachments,
}

impl StepContext<'_> {
    /// The external loads on a body with these point forces.
    pub(crate) fn external<'p>(&self, points: &'p PointForces) -> External<'p> {
        let WorldConfig { gravity, damping, .. } = *self.config;
        External { gravity, damping, points }
    }
}
