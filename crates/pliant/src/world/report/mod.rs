//! Reports: events, breaks, energies and counts.

pub(crate) mod breaks;
mod conserved;
pub(crate) mod event;
mod measure;
pub(crate) mod record;
pub(crate) mod report;
