//! Reports on a world and its steps.

use crate::contact::ContinuousReport;
use crate::plasticity::FlowReport;
use crate::solver::{LinearReport, SweepReport};
use crate::world::limits::Compromises;

/// Energy of all bodies, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Elastic energy.
    pub elastic: f64,
    /// Kinetic energy, with lumped masses.
    pub kinetic: f64,
}

/// Problems so far, which the world has dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// Cells that are inverted somewhere now.
    pub inverted: usize,
    /// Steps after which the state of a body was not finite.
    pub non_finite: usize,
    /// Bodies returned to their last finite state.
    pub resets: usize,
    /// Solves that stopped above their tolerance; their steps were taken all the same.
    pub unconverged: usize,
}

/// The report of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// The most substeps of any body.
    pub substeps: u32,
    /// Bodies returned to their last finite state.
    pub resets: usize,
    /// Linear solves of all bodies: sums, and the largest residual.
    pub linear: LinearReport,
    /// Sweeps of all position-based bodies: sums, and the largest residual.
    pub sweeps: SweepReport,
    /// Plastic flow of all bodies.
    pub flow: FlowReport,
    /// The work of continuous contact, if it is on.
    pub safe: ContinuousReport,
    /// Bodies that broke.
    pub broken: u32,
    /// Work that was left out to keep to the [limits](crate::world::StepLimits).
    pub compromises: Compromises,
    /// Unknowns of bodies that ended a [double step](crate::world::StepLimits::half_rate), and were not stepped.
    pub finished_unknowns: usize,
    /// Unknowns of bodies that took a double step, and are not stepped next.
    pub doubled_unknowns: usize,
}
