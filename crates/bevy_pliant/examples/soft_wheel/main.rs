//! A car on four soft tyres. Each is welded to a rigid hub, which a hinge holds on the rigid car; motors turn the two hubs behind.
//!
//! The car has no springs and no steering: it shows tyres that deform, roll and drive, and is no model of a vehicle.
//!
//! ```text
//! cargo run --release --example soft_wheel                                               without a window: 120 frames
//! cargo run --release --example soft_wheel --features window                             in a window
//! cargo run --release --example soft_wheel --features view -- --picture car.png 120      a picture of frame 120
//! ```

mod car;
#[path = "../headless/mod.rs"]
mod headless;
#[cfg(feature = "view")]
#[path = "../view/mod.rs"]
mod view;

fn main() {
    #[cfg(feature = "view")]
    view::run(
        view::Look { eye: [3.2, 1.6, 4.2], target: [0.8, 0.4, 0.0], colour: car::colour },
        car::set_up,
    );
    #[cfg(not(feature = "view"))]
    headless::print(&headless::run(car::set_up, 120));
}
