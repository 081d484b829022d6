//! The measurements of an entrant in one size, and their errors.

use anyhow::Result;
use pliant::mesh::generate::Split;

use super::bars::{SWING, clamped_grid, free_case};
use crate::bench::motion::rest;
use crate::bench::motion::spin::{self, Spin};
use crate::bench::motion::swing::{self, Swing};

/// Boxes across the bars of the references, which have quadratic hexahedra: coarse and fine.
const REST_BOXES: [usize; 2] = [4, 8];
const SWING_BOXES: [usize; 2] = [2, 3];
const SPIN_BOXES: usize = 2;

/// Long and short steps of the reference of the swing, in steps per second.
const SWING_RATES: [f64; 2] = [240.0, 960.0];

/// Order of convergence of the clamped bar: less than that of its cells, because stresses are infinite at the clamped edges.
/// Measured at rest with 4, 6, 8 and 12 boxes across.
const ORDER: f64 = 1.5;

/// Converged results.
pub(super) struct Reference {
    /// Height of the end at rest, in m.
    pub(super) rest: f64,
    pub(super) swing: Swing,
    /// Mean length of the spinning bar, in m.
    pub(super) length: f64,
}

impl Reference {
    /// Computes them with fine cells: a static solution, and motions in short steps. What depends on the clamped edges is
    /// extrapolated from two sizes. The spinning bar is smooth, and changes by 0.0001 % with finer cells.
    pub(super) fn new() -> Result<Self> {
        let [coarse, fine] =
            REST_BOXES.map(|across| rest::reference(clamped_grid(Split::Hex, 2, across)));
        let coarse = coarse?;
        let rest = coarse + change_to_limit(REST_BOXES, [coarse, fine?]);
        let length = spin::reference(&free_case(Split::Hex, 2, SPIN_BOXES))?;
        Ok(Self { rest, swing: converged_swing()?, length })
    }
}

/// The swing with coarse cells in short steps, and the change to the limit of fine cells in long steps: short steps with fine
/// cells take too long.
fn converged_swing() -> Result<Swing> {
    let run = |boxes: usize, rate: usize| {
        let grid = clamped_grid(Split::Hex, 2, SWING_BOXES[boxes]);
        swing::reference(grid, SWING_RATES[rate], SWING)
    };
    let (coarse, fine, short) = (run(0, 0)?, run(1, 0)?, run(0, 1)?);
    let period = short.period + change_to_limit(SWING_BOXES, [coarse.period, fine.period]);
    let peak = short.peak + change_to_limit(SWING_BOXES, [coarse.peak, fine.peak]);
    Ok(Swing { period, peak, ..short })
}

/// The change of a value from coarse cells to the limit of ever finer ones, from its values with coarse and fine cells (Richardson).
fn change_to_limit([few, many]: [usize; 2], [coarse, fine]: [f64; 2]) -> f64 {
    (fine - coarse) / (1.0 - (few as f64 / many as f64).powf(ORDER))
}

/// The measurements, or the reasons why they are missing.
pub(super) struct Entry {
    /// Boxes across the bars.
    pub(super) across: usize,
    /// Cells and nodes of the clamped bar.
    pub(super) size: [usize; 2],
    /// Height of the end at rest, in m.
    pub(super) rest: Result<f64, String>,
    pub(super) swing: Result<Swing, String>,
    pub(super) spin: Result<Spin, String>,
}

/// One of the three problems: a panel of the picture.
#[derive(Debug, Clone, Copy)]
pub(super) enum Problem {
    Rest,
    Swing,
    Spin,
}

impl Problem {
    pub(super) const ALL: [Self; 3] = [Self::Rest, Self::Swing, Self::Spin];

    /// The title of its panel, with the meaning of its error.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Rest => "bar at rest: error of the deflection, %",
            Self::Swing => "swinging bar: larger error of period and peak, %",
            Self::Spin => "spinning bar: larger error of length and momentum, %",
        }
    }
}

impl Entry {
    /// The relative error of the deflection at rest.
    pub(super) fn rest_error(&self, reference: &Reference) -> Option<f64> {
        Some(self.rest.as_ref().ok()? / reference.rest - 1.0)
    }

    /// The relative errors of the period and of the first peak.
    pub(super) fn swing_errors(&self, reference: &Reference) -> Option<[f64; 2]> {
        let Swing { period, peak, .. } = self.swing.as_ref().ok()?;
        Some([period / reference.swing.period - 1.0, peak / reference.swing.peak - 1.0])
    }

    /// The relative errors of the mean length and of the angular momentum at the end.
    pub(super) fn spin_errors(&self, reference: &Reference) -> Option<[f64; 2]> {
        let Spin { length, after, .. } = self.spin.as_ref().ok()?;
        Some([length / reference.length - 1.0, after - 1.0])
    }

    /// The time of a frame in ms and the error of a problem, if they are finite. The bar at rest has the time of the same bar
    /// while it swings: a bar that hardly moves is cheaper.
    pub(super) fn point(&self, problem: Problem, reference: &Reference) -> Option<[f64; 2]> {
        let clamped = || self.swing.as_ref().ok().map(|swing| swing.ms);
        let larger = |[a, b]: [f64; 2]| a.abs().max(b.abs());
        let [ms, error] = match problem {
            Problem::Rest => [clamped()?, self.rest_error(reference)?.abs()],
            Problem::Swing => [clamped()?, larger(self.swing_errors(reference)?)],
            Problem::Spin => [self.spin.as_ref().ok()?.ms, larger(self.spin_errors(reference)?)],
        };
        (ms.is_finite() && error.is_finite()).then_some([ms, error])
    }

    /// The names of missing measurements, and the reasons.
    pub(super) fn reasons(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("rest", self.rest.as_ref().err()),
            ("swing", self.swing.as_ref().err()),
            ("spin", self.spin.as_ref().err()),
        ];
        all.into_iter().filter_map(|(name, reason)| Some((name, reason?.as_str()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value with an error of the order of convergence is extrapolated exactly.
    #[test]
    fn extrapolation_removes_the_error_of_its_order() {
        let value = |across: usize| 3.0 - 0.2 * (across as f64).powf(-ORDER);
        for [few, many] in [[2, 3], [4, 8]] {
            let limit = value(few) + change_to_limit([few, many], [value(few), value(many)]);
            assert!((limit - 3.0).abs() < 1e-12, "{limit}");
        }
    }
}
