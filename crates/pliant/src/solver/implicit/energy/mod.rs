//! The guard against steps that create energy.

mod energy_budget;
mod energy_guard;
mod step_without_gain;

pub(super) use energy_budget::{CAREFUL_LINEARISATIONS, EnergyBudget};
