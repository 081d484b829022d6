//! The tests of the server and its engine thread, in one program: each that links them takes seconds.
//! One file alone: `cargo test --release -p pliant-viewer --test server hands::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "../common/mod.rs"]
mod common;

mod broken_bodies;
mod commands;
mod edits;
mod hands;
mod hostile;
mod protocol;
mod regions;
mod safety;
mod sessions;
