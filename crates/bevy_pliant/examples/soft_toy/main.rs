//! A gummy bear and a rubber ball fall on the ground, from a scene file.
//!
//! ```text
//! cargo run --release --example soft_toy                                              without a window: 120 frames
//! cargo run --release --example soft_toy --features window                            in a window
//! cargo run --release --example soft_toy --features view -- --picture toy.png 60      a picture of frame 60
//! ```

#[path = "../headless/mod.rs"]
mod headless;
mod toy;
#[cfg(feature = "view")]
#[path = "../view/mod.rs"]
mod view;

fn main() {
    #[cfg(feature = "view")]
    view::run(
        view::Look { eye: [1.2, 1.1, 3.0], target: [0.3, 0.45, 0.0], colour: toy::colour },
        toy::set_up,
    );
    #[cfg(not(feature = "view"))]
    headless::print(&headless::run(toy::set_up, 120));
}
