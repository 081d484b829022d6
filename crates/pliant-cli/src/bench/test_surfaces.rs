//! Surfaces of other people, for benches that take any surface.

/// The environment variable that names their folder.
pub(super) const FOLDER: &str = "PLIANT_MESHES";

/// Their files there.
pub(super) const FILES: [&str; 4] = ["bunny.obj", "spot.obj", "fandisk.obj", "suzanne.obj"];
