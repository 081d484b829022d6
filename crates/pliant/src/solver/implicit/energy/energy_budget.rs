//! The energy that a body can have.

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The energy beyond the budget that a step may have, relative to the largest energy of the last steps. Rules of second order
/// exchange kinetic and elastic energy with an error of this size where they resolve a motion poorly.
const SLACK: f64 = 0.02;

/// The share of the largest energy that is remembered after a step: half of it after one second at 60 Hz.
const MEMORY: f64 = 0.99;

/// The most damped steps after a failure, and the number of good steps after which earlier failures are forgotten: about a second.
const LONGEST_PAUSE: u32 = 64;

/// The kinetic and elastic energy that a body can have: that of an earlier step, and the work of external forces since then. A
/// rule with one linearisation can exceed it where forces are far from linear, and would do so ever more.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver::implicit) struct EnergyBudget {
    /// The budget, in J; `None` after a step without a guard.
    budget: Option<f64>,
    /// The largest energy of the last steps, in J.
    largest: f64,
    /// Damped steps before the rule is tried again.
    pause: u32,
    /// The number of damped steps after the last failure.
    last_pause: u32,
    /// Steps of the rule since then.
    good_steps: u32,
}

impl EnergyBudget {
    /// Forgets the budget: the next guarded step starts from its own energy.
    pub(in crate::solver::implicit) fn forget(&mut self) {
        self.budget = None;
    }

    /// Counts a failure of the rule: damped steps follow, twice as many as after the last failure, so that they outweigh a rule
    /// that keeps failing.
    pub(in crate::solver::implicit) fn fail(&mut self) {
        let pause = (2 * self.last_pause).clamp(1, LONGEST_PAUSE);
        *self = Self { pause, last_pause: pause, ..Self::default() };
    }

    /// True if the rule may be tried; otherwise counts a damped step.
    pub(in crate::solver::implicit) fn is_ready(&mut self) -> bool {
        let ready = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        ready
    }

    /// Starts from this energy, if there is no budget.
    pub(super) fn start(&mut self, energy: impl FnOnce() -> f64) {
        if self.budget.is_none() {
            let energy = energy();
            (self.budget, self.largest) = (Some(energy), energy);
        }
    }

    /// Records a step to `energy` during which external forces did `work`; false if it created energy.
    pub(super) fn allows(&mut self, energy: f64, work: f64) -> bool {
        let Some(budget) = &mut self.budget else { return true };
        let bound = *budget + work;
        let largest = (MEMORY * self.largest).max(energy);
        if energy <= bound + SLACK * self.largest.max(work) {
            // A budget that was not used is not kept for ever: errors in the work would add up.
            *budget = bound.clamp(energy, energy + largest);
            self.largest = largest;
            self.good_steps = self.good_steps.saturating_add(1);
            if self.good_steps > LONGEST_PAUSE {
                self.last_pause = 0;
            }
            return true;
        }
        false
    }
}

impl Persist for EnergyBudget {
    fn save(&self, to: &mut Writer) {
        to.flag(self.budget.is_some());
        to.f64(self.budget.unwrap_or_default());
        to.f64(self.largest);
        [self.pause, self.last_pause, self.good_steps].iter().for_each(|count| to.u32(*count));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let known = from.flag()?;
        let (budget, largest) = (from.f64()?, from.f64()?);
        let (pause, last_pause, good_steps) = (from.u32()?, from.u32()?, from.u32()?);
        if pause.max(last_pause) > LONGEST_PAUSE {
            return Err(from.bad("a number of damped steps"));
        }
        *self = Self { budget: known.then_some(budget), largest, pause, last_pause, good_steps };
        Ok(())
    }
}
