//! Who is awake.

mod rest;

pub use rest::{Rest, SleepConfig};
