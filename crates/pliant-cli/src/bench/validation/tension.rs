//! Case B: a nearly incompressible bar pulled to twice its length.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::mesh::generate::Split;

use super::case::{Grid, Setup, as_published, percent, row, translate};
use crate::bench::Progress;

/// The meshes of the case.
const GRIDS: [Grid; 16] = [
    Grid::new(Split::Tet5, 1, [12, 6, 6]),
    Grid::new(Split::Tet6, 1, [12, 6, 6]),
    Grid::new(Split::Tet5, 2, [6, 2, 2]),
    Grid::new(Split::Tet6, 2, [6, 3, 3]),
    Grid::new(Split::Tet5, 3, [4, 2, 2]),
    Grid::new(Split::Tet6, 3, [4, 2, 2]),
    Grid::new(Split::Hex, 1, [12, 6, 6]),
    Grid::new(Split::Hex, 2, [6, 3, 3]),
    Grid::new(Split::Prism, 1, [12, 6, 6]),
    Grid::new(Split::Pyramid, 1, [12, 6, 6]),
    Grid::new(Split::Tet6, 2, [6, 3, 3]).mean(),
    Grid::new(Split::Tet5, 3, [4, 2, 2]).mean(),
    Grid::new(Split::Hex, 1, [12, 6, 6]).mean(),
    Grid::new(Split::Hex, 2, [6, 3, 3]).mean(),
    Grid::new(Split::Prism, 1, [12, 6, 6]).mean(),
    Grid::new(Split::Pyramid, 1, [12, 6, 6]).mean(),
];

/// Case B: the 3 × 1 × 1 bar is pulled to twice its length at ν = 0.499.
pub(super) fn tension(text: &mut String, progress: Progress<'_>) -> Result<()> {
    writeln!(text, "## B: tension to twice the length, ν = 0.499\n")?;
    writeln!(
        text,
        "Width of the middle section, pull on an end and volume of the 3 × 1 × 1 m bar, both ends clamped, E = 0.1 \
         MPa, as published. Converged: 0.6958 m (±0.0002), 61,154 N (±4), 1.001262. `drift` is the distance of the \
         middle of the bar from its axis, zero by symmetry.\n"
    )?;
    writeln!(
        text,
        "| cells | number | nodes | width | error | pull | error | volume | drift |\n\
         |---|---|---|---|---|---|---|---|---|"
    )?;
    for grid in GRIDS {
        progress(&format!("B {}", grid.name()));
        let half = DVec3::X * 1.5;
        let setup = Setup {
            size: [3.0, 1.0, 1.0],
            material: as_published(1e5, 0.499),
            gravity: DVec3::ZERO,
            ends: [Some(translate(-half)), Some(translate(half))],
            load_steps: 8,
            fine: false,
        };
        row(text, "", &setup, grid, |solved| {
            let y = |y: f64| solved.point(DVec3::new(1.5, y, 0.5));
            let width = y(1.0)?.y - y(0.0)?.y;
            let middle = DVec3::new(1.5, 0.5, 0.5);
            let drift = (solved.point(middle)? - middle).length();
            let pull = solved.report.reactions[1].force.x;
            let (off_width, off_pull) = (percent(width, 0.6958), percent(pull, 61154.0));
            let volume = solved.world.volume_ratio();
            Ok(format!(
                "{width:.4} | {off_width:+.2} % | {pull:.0} | {off_pull:+.2} % | {volume:.5} | {drift:.1e}"
            ))
        })?;
    }
    writeln!(text)?;
    Ok(())
}
