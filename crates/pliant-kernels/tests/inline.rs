//! Runs the unit tests of private code without a second build of all kernels: the library has `test = false`, and the
//! few files with unit tests are included here. The engine's `tests/layers.rs` checks that none is missing.
#![allow(dead_code, reason = "of these files only the tests are wanted")]
#![allow(unreachable_pub, reason = "what is public to the crate is not here")]

// The included files import these as `crate::element` and `crate::math`.
use pliant_kernels::{element, math};

#[path = "../src/material/nearest.rs"]
mod nearest;
#[path = "../src/xpbd/orbits.rs"]
mod orbits;
