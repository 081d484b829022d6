//! The bars of the scoreboard.

use pliant::LawKind;
use pliant::mesh::generate::Split;

use crate::bench::motion::grid::Grid;
use crate::bench::motion::spin::SpinCase;

/// Duration of the swing, and of the spin, in s.
pub(super) const SWING: f64 = 4.0;
pub(super) const SPIN: f64 = 4.0;

/// Revolutions per second of the spin.
pub(super) const RATE: f64 = 1.0;

/// Boxes along and across the clamped bar: cubes.
pub(super) const fn clamped_boxes(across: usize) -> [usize; 2] {
    [4 * across, across]
}

/// Boxes along and across the free bar: cubes.
pub(super) const fn free_boxes(across: usize) -> [usize; 2] {
    [5 * across, across]
}

/// The cells of the clamped bar.
pub(super) const fn clamped_grid(split: Split, degree: usize, across: usize) -> Grid {
    Grid { split, degree, boxes: clamped_boxes(across) }
}

/// The free bar.
pub(super) const fn free_case(split: Split, degree: usize, across: usize) -> SpinCase {
    let grid = Grid { split, degree, boxes: free_boxes(across) };
    SpinCase { grid, law: LawKind::RestStable, young: 1e6, rate: RATE, seconds: SPIN }
}
