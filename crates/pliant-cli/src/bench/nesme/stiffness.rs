//! Accuracy of coarse cells with non-uniform stiffness.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant_mesher::gallery::Figure;

use crate::bench::Progress;

use super::figures::{Weighting, deflections, model, voxels};

/// Figures with a Young's modulus that gives a visible deflection, in Pa.
const FIGURES: [(Figure, f64); 3] =
    [(Figure::LetterC, 1e7), (Figure::Bear, 3e6), (Figure::Dragon, 1e7)];

/// Depth of the leaves, and of the cells of the reference.
const LEAVES: u32 = 5;

/// Edge length of the triangles of the surfaces, in m.
const EDGE_LENGTH: f64 = 0.05;

/// Deflection under gravity at levels 1 to 3 against that at the level of the leaves.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "## Non-uniform stiffness (Nesme et al. 2006, section 5)\n\n\
         Figures of the gallery bend under gravity, with their lowest tenth held. Leaves have level {LEAVES}; the \
         reference has cells of that level. Error: root mean square, over the vertices of the surface, of the \
         difference from the displacement of the reference, in percent of that displacement.\n\n\
         | figure | degree | level | cells | distributed | uniform | ratio | mean deflection, distributed | uniform | reference |\n\
         |---|---|---|---|---|---|---|---|---|---|\n"
    );
    for (figure, young) in FIGURES {
        let surface = figure.surface(EDGE_LENGTH);
        let given = surface.vertices.len();
        progress(&format!("{}, reference", figure.name()));
        let fine = voxels(&surface, LEAVES, LEAVES, 1)?;
        let reference = deflections(&fine, model(&fine, Weighting::Distributed, young)?, given)?;
        for (degree, level) in (1..=2).flat_map(|degree| (1..=3).map(move |level| (degree, level)))
        {
            progress(&format!("{}, degree {degree}, level {level}", figure.name()));
            let coarse = voxels(&surface, level, LEAVES, degree)?;
            let hang = |weighting| deflections(&coarse, model(&coarse, weighting, young)?, given);
            let (own, even) = (hang(Weighting::Distributed)?, hang(Weighting::Uniform)?);
            let errors = [&own, &even].map(|moves| error(moves, &reference));
            writeln!(
                text,
                "| {} | {degree} | {level} | {} | {:.1} % | {:.1} % | {:.2} | {:.1} mm | {:.1} mm | {:.1} mm |",
                figure.name(),
                coarse.report.cell_count,
                100.0 * errors[0],
                100.0 * errors[1],
                errors[1] / errors[0],
                mean(&own),
                mean(&even),
                mean(&reference)
            )?;
        }
    }
    Ok(text)
}

fn error(moves: &[DVec3], reference: &[DVec3]) -> f64 {
    let difference: f64 = moves.iter().zip(reference).map(|(a, b)| a.distance_squared(*b)).sum();
    let size: f64 = reference.iter().map(|b| b.length_squared()).sum();
    (difference / size).sqrt()
}

/// Mean length of the displacements, in mm.
fn mean(moves: &[DVec3]) -> f64 {
    1e3 * moves.iter().map(|u| u.length()).sum::<f64>() / moves.len() as f64
}
