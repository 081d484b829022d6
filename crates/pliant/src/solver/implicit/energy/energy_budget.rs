//! The energy that a body can have.

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The energy beyond the budget that a step may have, relative to the largest energy of the last steps. Rules of second order
/// exchange kinetic and elastic energy with an error of this size where they resolve a motion poorly.
const SLACK: f64 = 0.02;

/// The same for a body whose energy is followed: there a step beyond it is first taken again more accurately, and not damped.
const CLOSED_SLACK: f64 = 0.005;

/// The most of its budget that such a body keeps unused, relative to the largest energy of the last steps.
const CLOSED_RESERVE: f64 = 0.01;

/// The share of the largest energy that is remembered after a step: half of it after one second at 60 Hz.
const MEMORY: f64 = 0.99;

/// The most damped steps after a failure, and the number of good steps after which earlier failures are forgotten: about a second.
const LONGEST_PAUSE: u32 = 64;

/// Of smooth steps of a body whose energy is followed, one in this many is checked.
const SMOOTH_STEPS_PER_CHECK: u32 = 8;

/// Linearisations of a step that is taken again, and of those after one that created energy because it had only one.
pub(in crate::solver::implicit) const CAREFUL_LINEARISATIONS: u32 = 2;

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
    /// Smooth steps since the last check.
    unchecked: u32,
    /// Steps that are still taken with more than one linearisation.
    careful: u32,
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
        (self.pause, self.last_pause, self.good_steps) = (pause, pause, 0);
    }

    /// Takes the next steps with more than one linearisation.
    pub(super) fn take_care(&mut self) {
        self.careful = LONGEST_PAUSE;
    }

    /// The number of linearisations of the next step; counts a careful step.
    pub(in crate::solver::implicit) fn linearisations(&mut self) -> u32 {
        let careful = self.careful > 0;
        self.careful = self.careful.saturating_sub(1);
        if careful { CAREFUL_LINEARISATIONS } else { 1 }
    }

    /// True if a smooth step is to be checked; `begins` if it may begin a budget.
    pub(super) fn needs_check(&self, begins: bool) -> bool {
        let due = self.careful > 0 || self.unchecked + 1 >= SMOOTH_STEPS_PER_CHECK;
        if self.budget.is_some() { due } else { begins }
    }

    /// Adds the work of external forces in a step that is not checked.
    pub(super) fn add_work(&mut self, work: f64) {
        if let Some(budget) = &mut self.budget {
            *budget += work;
            self.unchecked += 1;
        }
    }

    /// The most energy of a step that is taken again from a state with some energy. Half of the slack is left for the next steps.
    pub(super) fn bound_from(&self, energy: f64) -> f64 {
        let bound = self.budget.map(|budget| budget + 0.5 * CLOSED_SLACK * self.largest);
        bound.unwrap_or(energy).max(energy)
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

    /// Raises the budget to an energy that no step could lower.
    pub(super) fn restart(&mut self, energy: f64) {
        self.budget = self.budget.map(|budget| budget.max(energy));
    }

    /// Records a step to `energy` during which external forces did `work`; false if it created energy. The budget of a body whose
    /// energy is followed (`closed`) grows by the work alone; otherwise the work has errors, and it grows to the energy.
    pub(super) fn allows(&mut self, energy: f64, work: f64, closed: bool) -> bool {
        self.unchecked = 0;
        let Some(budget) = &mut self.budget else { return true };
        let (bound, slack) = (*budget + work, if closed { CLOSED_SLACK } else { SLACK });
        let largest = (MEMORY * self.largest).max(energy);
        if energy <= bound + slack * self.largest.max(work) {
            // A budget that was not used is not kept for ever: errors in the work would add up. What a free body has lost to damping
            // does not come back.
            *budget = if closed {
                bound.min(energy + CLOSED_RESERVE * largest)
            } else {
                bound.clamp(energy, energy + largest)
            };
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
        let counts = [self.pause, self.last_pause, self.good_steps, self.unchecked, self.careful];
        counts.iter().for_each(|count| to.u32(*count));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let known = from.flag()?;
        let (budget, largest) = (from.f64()?, from.f64()?);
        let (pause, last_pause, good_steps) = (from.u32()?, from.u32()?, from.u32()?);
        let (unchecked, careful) = (from.u32()?, from.u32()?);
        if pause.max(last_pause).max(careful) > LONGEST_PAUSE {
            return Err(from.bad("a number of damped steps"));
        }
        if unchecked > SMOOTH_STEPS_PER_CHECK {
            return Err(from.bad("a number of smooth steps"));
        }
        let budget = known.then_some(budget);
        *self = Self { budget, largest, pause, last_pause, good_steps, unchecked, careful };
        Ok(())
    }
}
