//! A car on four soft tyres. Each is welded to a rigid hub, which a hinge holds on the rigid car; motors turn the two hubs behind.
//!
//! The car has no springs and no steering: it shows tyres that deform, roll and drive, and is no model of a vehicle.
//!
//! ```text
//! cargo run --release --example soft_wheel    120 frames without a window
//! ```

mod car;
#[path = "../headless/mod.rs"]
mod headless;

fn main() {
    headless::print(&headless::run(car::set_up, 120));
}
