//! Reports on a world and its steps.

use std::ops::AddAssign;

use crate::contact::ContinuousReport;
use crate::plasticity::FlowReport;
use crate::solver::{LinearReport, SweepReport};
use crate::world::limits::Compromises;

/// Energy of bodies, in J.
///
/// Springs of pulls and attachments, force fields, wind and the layers of contact have energies too, which are not included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Elastic energy.
    pub elastic: f64,
    /// Kinetic energy ½ vᵀ M v, with the mass that the stepper uses.
    pub kinetic: f64,
    /// Potential energy −Σ m g·x in the gravity of the world; zero for a body with its centre of mass at the origin.
    pub potential: f64,
}

impl AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.elastic += other.elastic;
        self.kinetic += other.kinetic;
        self.potential += other.potential;
    }
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
    /// Steps so far that were taken again by implicit Euler, which damps, because they created energy or their equation was not solved.
    pub fallbacks: usize,
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
    /// Contacts between bodies at the start of the step, some of them about to close; those of sleeping bodies are not counted.
    pub contacts: usize,
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
