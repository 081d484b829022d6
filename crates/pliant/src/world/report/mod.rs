//! Reports: events, breaks, energies and counts.

pub(crate) mod breaks;
pub(crate) mod event;
mod measure;
pub(crate) mod record;
#[expect(clippy::module_inception, reason = "the report is the concept of this folder")]
pub(crate) mod report;
