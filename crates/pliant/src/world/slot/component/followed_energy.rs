//! The energy that a body without linear solves can have.

use std::ops::AddAssign;

use glam::DVec3;

use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The share of the largest energy that is remembered after a step: half of it after one second at 60 Hz.
const MEMORY: f64 = 0.99;

/// Steps in a row without motion after which a body is given up: its rule cannot leave this shape.
const PATIENCE: u32 = 8;

/// The kinetic and elastic energy that a body can have: that of an earlier step, and the work of gravity since then.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FollowedEnergy {
    /// The energy that it can have, in J; `None` if loads have done work that is not counted.
    budget: Option<f64>,
    /// Σ m x at that time, in kg m: gravity times its change is the work of gravity.
    moment: DVec3,
    /// The largest energy of the last steps, in J.
    largest: f64,
    /// Steps in a row in which the body could not move.
    stuck: u32,
}

/// Energies of one or more bodies at the end of a step, in J.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EnergyBalance {
    /// Kinetic and elastic energy.
    pub(crate) energy: f64,
    /// The energy that they can have.
    pub(crate) budget: f64,
    /// The largest energy of the last steps.
    pub(crate) largest: f64,
    /// The elastic energy of XPBD bodies: with few sweeps they are softer than their material, so that it is overestimated.
    pub(crate) uncertain: f64,
}

impl FollowedEnergy {
    /// Forgets the budget: a load did work that is not counted.
    pub(crate) fn forget(&mut self) {
        self.budget = None;
    }

    /// Takes another Σ m x, in kg m, for the end of the step: the motion ended before its end.
    pub(crate) fn end_at(&mut self, moment: DVec3) {
        self.moment = moment;
    }

    /// True if there is a budget.
    pub(crate) fn is_known(&self) -> bool {
        self.budget.is_some()
    }

    /// Starts with the energy in J, and with Σ m x in kg m, of the start of a step.
    pub(crate) fn start(&mut self, energy: f64, moment: DVec3) {
        if energy.is_finite() {
            *self = Self { budget: Some(energy), moment, largest: energy, ..*self };
        }
    }

    /// The balance of the body at the end of a step, with this energy in J and Σ m x in kg m. Its energy becomes its budget, if that is
    /// finite.
    pub(crate) fn balance(&mut self, energy: f64, moment: DVec3, gravity: DVec3) -> EnergyBalance {
        let (old, work) = (self.budget.unwrap_or(energy), gravity.dot(moment - self.moment));
        if !energy.is_finite() {
            return EnergyBalance {
                energy: f64::INFINITY,
                budget: old,
                largest: self.largest,
                uncertain: 0.0,
            };
        }
        let largest = (MEMORY * self.largest).max(energy);
        *self = Self { budget: Some(energy), moment, largest, ..*self };
        EnergyBalance { energy, budget: old + work, largest, uncertain: 0.0 }
    }

    /// Records whether the body could not move in a step; true if that has happened too often in a row.
    pub(crate) fn gives_up(&mut self, is_stuck: bool) -> bool {
        self.stuck = if is_stuck { self.stuck + 1 } else { 0 };
        self.stuck >= PATIENCE
    }

    /// Changes the budget: a share of it is left, and some J are spare.
    pub(crate) fn adjust(&mut self, share: f64, spare: f64) {
        self.budget = self.budget.map(|budget| share * budget + spare);
    }
}

impl AddAssign for EnergyBalance {
    fn add_assign(&mut self, other: Self) {
        self.energy += other.energy;
        self.budget += other.budget;
        self.largest += other.largest;
        self.uncertain += other.uncertain;
    }
}

impl Persist for FollowedEnergy {
    fn save(&self, to: &mut Writer) {
        to.flag(self.budget.is_some());
        to.f64(self.budget.unwrap_or_default());
        to.f64(self.largest);
        to.u32(self.stuck);
        to.vectors(&[self.moment]);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let known = from.flag()?;
        let (budget, largest, stuck) = (from.f64()?, from.f64()?, from.u32()?);
        let mut moment = [DVec3::ZERO];
        from.vectors(&mut moment)?;
        let [moment] = moment;
        if !(budget.is_finite() && moment.is_finite() && largest.is_finite()) || stuck > PATIENCE {
            return Err(from.bad("an energy"));
        }
        *self = Self { budget: known.then_some(budget), moment, largest, stuck };
        Ok(())
    }
}
