//! A hollow crate falls from 4 m and breaks.
//!
//! ```text
//! cargo run --release --example breakable_crate                                                without a window: 120 frames
//! cargo run --release --example breakable_crate --features window                              in a window
//! cargo run --release --example breakable_crate --features view -- --picture crate.png 75      a picture of frame 75
//! ```

mod falling_crate;
#[path = "../headless/mod.rs"]
mod headless;
#[cfg(feature = "view")]
#[path = "../view/mod.rs"]
mod view;

fn main() {
    #[cfg(feature = "view")]
    view::run(
        view::Look { eye: [2.5, 2.2, 4.0], target: [0.0, 0.5, 0.0], colour: falling_crate::colour },
        falling_crate::set_up,
    );
    #[cfg(not(feature = "view"))]
    headless::print(&headless::run(falling_crate::set_up, 120));
}
