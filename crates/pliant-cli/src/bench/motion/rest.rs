//! A clamped bar that comes to rest under its weight.

use anyhow::{Context as _, Result};
use pliant::MethodConfig;
use pliant::solver::StaticConfig;

use super::FRAME;
use super::clamped::ClampedBar;
use super::grid::Grid;

/// Duration of the motion, in s.
pub(in crate::bench) const DURATION: f64 = 4.0;

/// Rate at which velocities are damped, in 1/s: about half of critical damping, so that a ten-thousandth of the motion is left.
pub(in crate::bench) const DAMPING: f64 = 6.0;

/// The height of the end at rest from that of the straight bar, in m, after a damped motion.
pub(in crate::bench) fn measure(grid: Grid, method: MethodConfig) -> Result<f64> {
    let mut bar = ClampedBar::new(grid, method, FRAME, DAMPING)?;
    for _ in 0..(DURATION / FRAME).round() as usize {
        bar.step();
    }
    bar.height()
}

/// The same height from a static solution.
pub(in crate::bench) fn reference(grid: Grid) -> Result<f64> {
    let mut bar = ClampedBar::new(grid, MethodConfig::default(), FRAME, 0.0)?;
    let config = StaticConfig::default();
    bar.world.solve_static(&config, &mut |_| {})?.pop().context("one body, one report")?;
    bar.height()
}
