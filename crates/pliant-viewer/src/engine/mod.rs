//! The thread that owns the world, and its work between steps.

mod beginning;
pub(crate) mod builder;
pub(crate) mod cast;
mod change;
mod changes;
mod clock;
mod commit;
pub(crate) mod document;
mod edit;
pub(crate) mod exchange;
pub(crate) mod frame;
mod grab;
mod grip;
mod history;
mod impact;
mod keeper;
mod limits;
mod log;
mod obey;
pub(crate) mod order;
mod painting;
mod pending;
mod phase_clock;
mod pick;
mod pinning;
mod publish;
pub(crate) mod record;
pub(crate) mod session;
pub(crate) mod shown;
pub(crate) mod stage;
mod steps;
mod table;
pub(crate) mod thread;
mod version;

pub use keeper::Keeper;
pub use phase_clock::PhaseClock;
