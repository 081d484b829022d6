//! One bar, several engines, one run, on one thread each.
//!
//! The bar measures 4 × 1 × 1 m, E = 1 MPa, ν = 0.35, 1000 kg/m³, clamped at x = 0, under 9.8 m/s²,
//! in frames of 1/60 s. There are two tables: `implicit`, Rapier's `fem` solver beside ours, and
//! `xpbd`, Rapier's rows and pypbd beside ours. The second wants a Python that has pypbd.
//!
//! ```text
//! python3 -m venv VENV && VENV/bin/pip install pypbd==2.2.2 numpy
//! PYPBD_PYTHON=VENV/bin/python cargo run --release --manifest-path peers/Cargo.toml [implicit|xpbd]
//! ```

mod implicit;
mod ours;
mod pypbd;
mod theirs;
mod xpbd;

use std::process::ExitCode;

/// A bar that can be stepped.
pub trait Bar {
    /// Advances by a frame.
    fn step(&mut self);
    /// How far the end has sunk, in m.
    fn sunk(&self) -> f64;
    /// Nodes and cells.
    fn size(&self) -> (usize, usize);
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => {
            implicit::table();
            println!();
            xpbd::table();
        }
        Some("implicit") => implicit::table(),
        Some("xpbd") => xpbd::table(),
        Some(other) => {
            eprintln!("there is no table `{other}`: say `implicit`, `xpbd`, or nothing for both");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
