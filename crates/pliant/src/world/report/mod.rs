//! Reports: events, breaks, energies and counts.

pub(crate) mod breaks;
mod conserved;
pub(crate) mod event;
mod event_text;
mod measure;
pub(crate) mod record;
pub(crate) mod report;
