//! Implicit steps: Rapier's `fem` soft body of linear tetrahedra with its default settings, and quadratic
//! tetrahedra of Pliant with no more nodes.
//!
//! The converged corotated solution comes to rest 2.6769 m below (NGSolve and scikit-fem, error 0.002).

use std::time::Instant;

use crate::{Bar, ours, theirs};

/// The displacement at rest of the middle of the free end under the corotated law, in m.
const RESTS_AT: f64 = -2.6769;

/// The number of timed frames; they begin three frames after the release of the bar.
const FRAMES: usize = 60;

/// The number of measurements of each engine, in turn; the fastest counts.
const ROUNDS: usize = 7;

/// The number of frames after which a bar with damping is at rest.
const SETTLE: usize = 480;

/// Measures, and prints the table.
pub fn table() {
    println!("| engine | nodes | cells | ms per frame | rests at | error | Rapier/Pliant |");
    println!("|---|---|---|---|---|---|---|");
    for n in [16, 32] {
        let (mut best_ours, mut best_theirs) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            best_ours = best_ours.min(time(&mut *ours::implicit(n, false)));
            best_theirs = best_theirs.min(time(&mut *theirs::fem(n, false)));
        }
        let ratio = best_theirs / best_ours;
        row("Rapier 0.36.1 fem, linear", best_theirs, &mut *theirs::fem(n, true), "");
        row("Pliant, quadratic", best_ours, &mut *ours::implicit(n, true), &format!("{ratio:.2}"));
    }
}

/// The mean time of a frame, in ms.
fn time(bar: &mut dyn Bar) -> f64 {
    (0..3).for_each(|_| bar.step());
    let start = Instant::now();
    (0..FRAMES).for_each(|_| bar.step());
    1e3 * start.elapsed().as_secs_f64() / FRAMES as f64
}

fn row(name: &str, ms: f64, damped: &mut dyn Bar, ratio: &str) {
    (0..SETTLE).for_each(|_| damped.step());
    let (nodes, cells) = damped.size();
    let (sunk, off) = (damped.sunk(), 100.0 * (damped.sunk() / RESTS_AT - 1.0));
    println!("| {name} | {nodes} | {cells} | {ms:.3} | {sunk:.4} m | {off:+.1} % | {ratio} |");
}
