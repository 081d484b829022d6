//! The tests of the server, its engine thread and the page, in one program, because every program takes long to link.
//! To run one file: `cargo test --release --workspace --test viewer grabs::`.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

mod broken_bodies;
mod commands;
mod edits;
mod grabs;
mod hostile;
mod page;
mod protocol;
mod regions;
mod safety;
mod sessions;
