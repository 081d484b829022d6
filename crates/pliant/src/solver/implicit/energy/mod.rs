//! The guard against steps that create energy.

mod energy_budget;
mod energy_guard;

pub(super) use energy_budget::EnergyBudget;
