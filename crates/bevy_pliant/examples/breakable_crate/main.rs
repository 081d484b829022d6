//! A hollow crate falls from 4 m and breaks.
//!
//! ```text
//! cargo run --release --example breakable_crate    120 frames without a window
//! ```

mod falling_crate;
#[path = "../headless/mod.rs"]
mod headless;

fn main() {
    headless::print(&headless::run(falling_crate::set_up, 120));
}
