//! The tests that stand beside private code, without building the whole engine once more for them: the library has
//! `test = false`, and the few files that have tests of their own are read here as they are. `layers.rs` sees to it that none is
//! forgotten.
#![allow(dead_code, reason = "of these files only the tests are wanted")]
#![allow(unreachable_pub, reason = "what is public to the engine is not here")]

#[path = "../src/solver/joint/envelope.rs"]
mod envelope;
#[path = "../src/body/skin/interpolation.rs"]
mod interpolation;
#[path = "../src/solver/xpbd/relay.rs"]
mod relay;
