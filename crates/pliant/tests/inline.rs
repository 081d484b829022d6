//! Runs the unit tests of private code without a second build of the whole engine: the library has `test = false`,
//! and the few files with unit tests are included here. `layers.rs` checks that none is missing.
#![allow(dead_code, reason = "of these files only the tests are wanted")]
#![allow(unreachable_pub, reason = "what is public to the engine is not here")]

#[path = "../src/solver/joint/envelope.rs"]
mod envelope;
#[path = "../src/body/skin/interpolation.rs"]
mod interpolation;
#[path = "../src/solver/xpbd/relay.rs"]
mod relay;
