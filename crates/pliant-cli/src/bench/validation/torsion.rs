//! Case C: a bar twisted by half a turn.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Action, Motion, Ramp};
use pliant::mesh::generate::Split;
use pliant::solver::StaticReport;

use super::case::{Grid, Setup, as_published, percent, row};
use crate::bench::Progress;

/// The meshes of the case.
const GRIDS: [Grid; 10] = [
    Grid::new(Split::Tet5, 1, [16, 4, 4]),
    Grid::new(Split::Tet6, 1, [16, 4, 4]),
    Grid::new(Split::Tet5, 2, [8, 2, 2]),
    Grid::new(Split::Tet6, 2, [8, 2, 2]),
    Grid::new(Split::Tet5, 3, [4, 2, 2]),
    Grid::new(Split::Tet6, 3, [4, 2, 2]),
    Grid::new(Split::Hex, 1, [16, 4, 4]),
    Grid::new(Split::Hex, 2, [8, 2, 2]),
    Grid::new(Split::Prism, 1, [16, 4, 4]),
    Grid::new(Split::Pyramid, 1, [16, 4, 4]),
];

/// Case C: one end of the 4 × 1 × 1 bar is rotated by 180°.
pub(super) fn torsion(text: &mut String, progress: Progress<'_>) -> Result<()> {
    writeln!(text, "## C: torsion by 180°\n")?;
    writeln!(
        text,
        "The 4 × 1 × 1 m bar, one end fixed, the other rotated about the axis, E = 1 MPa, ν = 0.35, as published. \
         Angle of a corner at a quarter of the length (converged 44.632° ± 0.002°), torque (41,242 N·m ± 2), elastic \
         energy (64,827 J ± 2), volume (0.98480).\n"
    )?;
    writeln!(
        text,
        "| cells | number | nodes | angle | error | torque | error | energy | error | volume |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    )?;
    for grid in GRIDS {
        progress(&format!("C {}", grid.name()));
        let centre = DVec3::new(4.0, 0.5, 0.5);
        let action = Action::Rotate { centre, axis: DVec3::X, angle: std::f64::consts::PI };
        let turn = Motion { ramps: vec![Ramp { start: 0.0, end: 1.0, action }] };
        let setup = Setup {
            size: [4.0, 1.0, 1.0],
            material: as_published(1e6, 0.35),
            gravity: DVec3::ZERO,
            ends: [Some(Motion::default()), Some(turn)],
            load_steps: 12,
            fine: false,
        };
        row(text, "", &setup, grid, |solved| {
            let corner = solved.point(DVec3::new(1.0, 1.0, 1.0))?;
            let angle = ((corner.z - 0.5).atan2(corner.y - 0.5)).to_degrees() - 45.0;
            let StaticReport { energy, reactions, .. } = &solved.report;
            let torque = reactions[1].torque.x;
            let off = (percent(angle, 44.632), percent(torque, 41242.0), percent(*energy, 64827.0));
            let volume = solved.world.volume_ratio();
            Ok(format!(
                "{angle:.3}° | {:+.2} % | {torque:.0} | {:+.2} % | {energy:.0} | {:+.2} % | {volume:.5}",
                off.0, off.1, off.2
            ))
        })?;
    }
    writeln!(text)?;
    Ok(())
}
