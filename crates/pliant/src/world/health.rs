//! How a world is doing.

use crate::contact::SafeReport;
use crate::plasticity::FlowReport;
use crate::solver::{LinearReport, SweepReport};

use super::GivenUp;

/// Energy of all bodies, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Elastic energy.
    pub elastic: f64,
    /// Kinetic energy, with lumped masses.
    pub kinetic: f64,
}

/// What went wrong so far, and was dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// Cells that are turned inside out somewhere, now.
    pub inverted: usize,
    /// Steps after which a body held a number that was not finite.
    pub non_finite: usize,
    /// Bodies set back to their last finite state.
    pub resets: usize,
    /// Solves that stopped before they reached their tolerance; their steps were taken all the same.
    pub unconverged: usize,
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Substeps taken by the body that needed most.
    pub substeps: u32,
    /// Bodies that were set back because their state was not finite.
    pub resets: usize,
    /// How the linear solves went, all bodies together: sums, and the largest residual.
    pub linear: LinearReport,
    /// How the sweeps of position-based bodies went, all together: sums, and the largest residual.
    pub sweeps: SweepReport,
    /// How much matter flowed, all bodies together.
    pub flow: FlowReport,
    /// What it took to let nothing through, if that was asked for.
    pub safe: SafeReport,
    /// Bodies that came apart.
    pub broken: u32,
    /// What was given up for the sake of [effort](super::Effort).
    pub given_up: GivenUp,
    /// Unknowns of bodies that were not stepped, since they had taken [two steps at once](super::Effort::half_rate) before.
    pub landed: usize,
    /// Unknowns of bodies that took two steps at once, and are not stepped next.
    pub leapt: usize,
}
