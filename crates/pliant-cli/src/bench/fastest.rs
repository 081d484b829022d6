//! The time of the fastest of many runs.

use std::time::Instant;

/// Number of runs; the fastest counts, since other processes disturb the rest.
pub(super) const RUNS: usize = 60;

/// Shortest time of a run, in s.
pub(super) fn fastest(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}
