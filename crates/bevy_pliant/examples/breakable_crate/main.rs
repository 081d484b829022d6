//! A hollow crate falls from 4 m and breaks.
//!
//! ```text
//! cargo run --release --example breakable_crate                                                without a window: 120 frames
//! ```

mod falling_crate;
#[path = "../headless/mod.rs"]
mod headless;

fn main() {
    headless::print(&headless::run(falling_crate::set_up, 120));
}
