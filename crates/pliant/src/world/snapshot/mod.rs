//! Snapshots of a world.

mod fingerprint;
#[expect(clippy::module_inception, reason = "the snapshot is the concept of this folder")]
mod snapshot;
