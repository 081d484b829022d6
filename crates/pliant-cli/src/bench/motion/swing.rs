//! A clamped bar that swings under its weight.

use anyhow::{Result, bail};
use pliant::solver::Mass;
use pliant::{MethodConfig, Stepper};

use super::FRAME;
use super::clamped::ClampedBar;
use super::extrema::turning_points;
use super::grid::Grid;

/// The swing of the end of the bar.
pub(in crate::bench) struct Swing {
    /// Its period, in s.
    pub(in crate::bench) period: f64,
    /// The first and lowest position, from the rest position, in m.
    pub(in crate::bench) peak: f64,
    /// The mean loss of amplitude in a period, as a share.
    pub(in crate::bench) loss: f64,
    /// Processor time of a frame, in ms.
    pub(in crate::bench) ms: f64,
    /// Iterations of the linear solver per frame; zero for other engines.
    pub(in crate::bench) iterations: f64,
}

/// The motion converged in time: the midpoint rule, which has no numerical damping, in this many steps per second.
pub(in crate::bench) fn reference(grid: Grid, rate: f64, seconds: f64) -> Result<Swing> {
    let method = MethodConfig {
        stepper: Stepper::Variational,
        mass: Mass::Consistent,
        tolerance: 1e-8,
        max_iterations: 2000,
        ..Default::default()
    };
    run(grid, method, 1.0 / rate, seconds)
}

/// The motion in single steps of a frame.
pub(in crate::bench) fn measure(grid: Grid, method: MethodConfig, seconds: f64) -> Result<Swing> {
    run(grid, method, FRAME, seconds)
}

fn run(grid: Grid, method: MethodConfig, h: f64, seconds: f64) -> Result<Swing> {
    let mut bar = ClampedBar::new(grid, method, h, 0.0)?;
    let mut heights = vec![0.0];
    let mut iterations = 0;
    for _ in 0..(seconds / h).round() as usize {
        iterations += bar.step().linear.iterations;
        heights.push(bar.height()?);
    }
    let iterations = f64::from(iterations) / heights.len() as f64;
    Ok(Swing { iterations, ..Swing::of(&heights, h, bar.ms())? })
}

impl Swing {
    /// The swing of an end at these heights, every `h` seconds, from its rest position.
    pub(in crate::bench) fn of(heights: &[f64], h: f64, ms: f64) -> Result<Self> {
        let points = turning_points(heights, h);
        let lows: Vec<(f64, f64)> = points.iter().skip(1).step_by(2).copied().collect();
        let [first, .., last] = lows[..] else {
            let (lowest, end) =
                (heights.iter().copied().fold(0.0, f64::min), heights.last().unwrap_or(&0.0));
            bail!("it does not swing: lowest at {lowest:.3} m, at {end:.3} m in the end");
        };
        let period = (last.0 - first.0) / (lows.len() as f64 - 1.0);
        let swings: Vec<f64> =
            points.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).collect();
        // Two swings are a period. The geometric mean over all periods does not depend on the beat with higher modes.
        let periods = 0.5 * (swings.len() as f64 - 1.0);
        let loss = 1.0 - (swings[swings.len() - 1] / swings[0]).powf(1.0 / periods);
        Ok(Self { period, peak: first.1, loss, ms, iterations: 0.0 })
    }
}
