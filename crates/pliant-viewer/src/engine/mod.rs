//! The thread that owns the world, and all that it does between steps.

pub(crate) mod builder;
pub(crate) mod cast;
mod change;
mod clock;
pub(crate) mod document;
mod edit;
pub(crate) mod frame;
mod grab;
mod history;
mod log;
mod obey;
pub(crate) mod order;
mod phase_clock;
mod pick;
pub(crate) mod record;
pub(crate) mod stage;
mod table;
pub(crate) mod thread;

pub use phase_clock::PhaseClock;
