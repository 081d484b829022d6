//! The tests that stand beside private code, without building all kernels once more for them: the library has `test = false`, and the
//! few files that have tests of their own are read here as they are. The engine's `tests/layers.rs` sees to it that none is forgotten.
#![allow(dead_code, reason = "of these files only the tests are wanted")]
#![allow(unreachable_pub, reason = "what is public to the crate is not here")]

// What the files know as `crate::element` and `crate::math`.
use pliant_kernels::{element, math};

#[path = "../src/material/nearest.rs"]
mod nearest;
#[path = "../src/xpbd/orbits.rs"]
mod orbits;
