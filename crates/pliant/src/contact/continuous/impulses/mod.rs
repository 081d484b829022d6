//! Impulses that keep surfaces apart.

mod closing;
mod impulse_row;
mod impulse_solve;
pub(super) mod impulse_system;
