//! The thread that owns the world, and its work between steps.

pub(crate) mod apply_edit;
pub(crate) mod builder;
mod change;
mod changes;
mod clock;
mod command_checks;
mod commit;
pub(crate) mod document;
mod edit;
mod execute;
pub(crate) mod frame;
mod grabs;
mod held_points;
mod history;
mod impact;
mod initial_state;
mod log;
pub(crate) mod order;
mod painting;
mod pending;
mod phase_clock;
mod pick;
mod pinning;
mod publish;
pub(crate) mod record;
pub(crate) mod session;
pub(crate) mod shown_scene;
pub(crate) mod stage;
pub(crate) mod stage_bodies;
mod step_budget;
mod steps;
mod table;
pub(crate) mod thread;
mod version;

pub use phase_clock::PhaseClock;
pub use step_budget::StepBudget;
