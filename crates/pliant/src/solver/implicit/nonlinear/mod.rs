//! Stages whose equation is solved as it is, not linearised once.

mod newton;
mod quasi_newton;
mod quasi_newton_stage;
mod secants;
mod trend;

pub(super) use quasi_newton::QuasiNewton;
