//! Snapshots of a world.

mod fingerprint;
mod snapshot;
