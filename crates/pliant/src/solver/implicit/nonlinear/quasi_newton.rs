//! The buffers of quasi-Newton iterations.

use glam::DVec3;

use super::secants::Secants;
use super::trend::Trend;

/// Buffers of a stage that is solved with an old factor.
#[derive(Debug, Clone)]
pub(in crate::solver::implicit) struct QuasiNewton {
    pub(super) secants: Secants,
    /// How wrong the last guess was.
    pub(in crate::solver::implicit) trend: Trend,
    /// The guess without the trend, on nodes.
    pub(super) guess: Vec<DVec3>,
    /// The residual before the last change.
    pub(super) before: Vec<DVec3>,
    /// A residual on its way through the preconditioner.
    pub(super) r: Vec<DVec3>,
}

impl QuasiNewton {
    /// Buffers for a body.
    pub(in crate::solver::implicit) fn new(nodes: usize, unknowns: usize) -> Self {
        let zero = |count: usize| vec![DVec3::ZERO; count];
        Self {
            secants: Secants::new(unknowns),
            trend: Trend::new(nodes),
            guess: zero(nodes),
            before: zero(unknowns),
            r: zero(unknowns),
        }
    }
}
