//! A gummy bear and a rubber ball fall on the ground, from a scene file.
//!
//! ```text
//! cargo run --release --example soft_toy    120 frames without a window
//! ```

#[path = "../headless/mod.rs"]
mod headless;
mod toy;

fn main() {
    headless::print(&headless::run(toy::set_up, 120));
}
