//! Measures the same bar in several engines, in one run, on one thread each.
//!
//! The bar measures 4 × 1 × 1 m, E = 1 MPa, ν = 0.35, 1000 kg/m³, clamped at x = 0, under 9.8 m/s²,
//! in frames of 1/60 s. There are two tables: `implicit` compares Rapier's `fem` solver with Pliant, `xpbd` compares
//! Rapier's constraint rows and pypbd with Pliant. The second needs a Python with pypbd. `motion` is for `pliant bench motion`
//! and `pliant bench scoreboard`, `torture` for `pliant bench torture`, which run this program and measure what it prints.
//!
//! ```text
//! python3 -m venv VENV && VENV/bin/pip install pypbd==2.2.2 numpy
//! PEERS_PYTHON=VENV/bin/python cargo run --release --manifest-path peers/Cargo.toml [implicit|xpbd]
//! ```

mod implicit;
mod motion;
mod ours;
mod pypbd;
mod theirs;
mod torture;
mod xpbd;

use std::process::ExitCode;

/// A bar that can be stepped.
pub trait Bar {
    /// Advances by one frame.
    fn step(&mut self);
    /// The vertical displacement of the free end, in m; negative downward.
    fn sunk(&self) -> f64;
    /// The numbers of nodes and cells.
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
        Some("motion") => return done(motion::print(&further_arguments())),
        Some("torture") => return done(torture::print(&further_arguments())),
        Some(other) => {
            eprintln!(
                "there is no table `{other}`: use `implicit`, `xpbd`, `motion`, `torture`, or no argument for the first two"
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn further_arguments() -> Vec<String> {
    std::env::args().skip(2).collect()
}

/// The exit code; prints the reason of a failure.
fn done(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}
