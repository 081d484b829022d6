//! Islands: groups of bodies that are stepped together.

mod build;
mod careful_step;
mod energy_guard;
mod half_rate;
pub(crate) mod island;
pub(crate) mod islands;
mod restrain;
mod sleep;
mod step_check;
mod wake;
