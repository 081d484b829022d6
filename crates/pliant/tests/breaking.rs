#![allow(clippy::unwrap_used, reason = "tests may panic")]
#[path = "engine/common/mod.rs"]
mod common;
#[path = "engine/fracture.rs"]
mod fracture;
