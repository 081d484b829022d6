//! Case D: a cube compressed between plates.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Motion;

use super::case::{Grid, Setup, as_published, percent, row, translate};
use crate::bench::Progress;

/// Case D: the unit cube is compressed by a fifth between bonded plates.
pub(super) fn compression(text: &mut String, grids: &[Grid], progress: Progress<'_>) -> Result<()> {
    let references = [
        (0.49, 0.0751, 30350.0, 2826.0),
        (0.499, 0.0777, 30850.0, 2866.0),
        (0.4999, 0.0779, 30900.0, 2870.0),
    ];
    writeln!(text, "## D: compression by 20 %\n")?;
    writeln!(
        text,
        "The unit cube between bonded plates, E = 0.1 MPa, as published. Outward displacement of the middle of a side, force on a plate and elastic energy. Converged (± 0.5 to 1 %): 0.0751 m, 30,350 N, 2826 J at ν = 0.49; 0.0777, 30,850, 2866 at 0.499; 0.0779, 30,900, 2870 at 0.4999.\n"
    )?;
    writeln!(
        text,
        "| ν | cells | number | nodes | bulge | error | force | error | energy | error |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    )?;
    for (poisson, bulge_reference, force_reference, energy_reference) in references {
        for &grid in grids {
            progress(&format!("D ν = {poisson} {}", grid.name()));
            let setup = Setup {
                size: [1.0; 3],
                material: as_published(1e5, poisson),
                gravity: DVec3::ZERO,
                ends: [Some(Motion::default()), Some(translate(DVec3::X * -0.2))],
                load_steps: 4,
                fine: false,
            };
            row(text, &format!("{poisson} | "), &setup, grid, |solved| {
                let side = solved.point(DVec3::new(0.5, 1.0, 0.5))?;
                let (bulge, energy) = (side.y - 1.0, solved.report.energy);
                let force = -solved.report.reactions[1].force.x;
                let off = (
                    percent(bulge, bulge_reference),
                    percent(force, force_reference),
                    percent(energy, energy_reference),
                );
                Ok(format!(
                    "{bulge:.4} | {:+.2} % | {force:.0} | {:+.2} % | {energy:.0} | {:+.2} %",
                    off.0, off.1, off.2
                ))
            })?;
        }
    }
    writeln!(text)?;
    Ok(())
}
