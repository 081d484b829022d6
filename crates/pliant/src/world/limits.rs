//! Limits on the work of a step.

use std::ops::AddAssign;

/// Limits on the work of a step, for callers with a frame to keep: [`Budget`](super::budget::Budget) finds them from a time.
///
/// A world reads no clock, so the same limits give the same bits. Under limits, solves stop earlier and bodies break later; the
/// length of a step does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepLimits {
    /// The most iterations of the solve of a body, or of bodies in contact, in all its rounds (default `None`: as many as the methods
    /// of the bodies allow). At least one is taken.
    pub iterations: Option<u32>,
    /// The most bodies that break in a step (default `None`: any number). At least one does. The others break in one of the next steps,
    /// at the places that were found, those that wait longest first; no further breaks are looked for in them meanwhile.
    pub breaks: Option<u32>,
    /// Steps bodies at half rate where possible (default `false`): half of them take a double step and are shown in the middle of it,
    /// then at its end in the next step, in which the other half does the same. Bodies that are pulled, or pushed by something with
    /// prescribed motion, stay at full rate; so do rules without damping, and worlds with continuous contact.
    pub half_rate: bool,
}

/// The work that a step left out to keep to its [`StepLimits`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compromises {
    /// Solves that stopped at the limit before they converged.
    pub solves: u32,
    /// Breaks put off to one of the next steps.
    pub breaks: u32,
    /// Bodies that were not stepped, since they ended a double step.
    pub finished_double_steps: u32,
}

impl Compromises {
    /// True if nothing was left out.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for Compromises {
    fn add_assign(&mut self, other: Self) {
        self.solves += other.solves;
        self.breaks += other.breaks;
        self.finished_double_steps += other.finished_double_steps;
    }
}
