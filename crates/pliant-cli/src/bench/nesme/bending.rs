//! Voxels of degree 2 against voxels of degree 1.

use std::fmt::Write as _;

use anyhow::Result;
use glam::DVec3;
use pliant::geometry::Surface;
use pliant_mesher::gallery::Figure;

use crate::bench::Progress;

use super::figures::{Weighting, deflections, model, voxels};

/// Depth of the leaves.
const LEAVES: u32 = 5;

/// The tip of a figure: this share of the vertices, those with the largest displacements in the reference.
const TIP: f64 = 0.02;

/// Errors at the tip of bent figures, by level and degree, sorted by unknowns.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "## Degree 2 compared with degree 1\n\n\
         The letter C and the dragon are held at the bottom and bend under gravity; their leaves have level \
         {LEAVES}. Reference: degree 2 at level 3. Error of the deflection of the {:.0} % of the vertices that move \
         most.\n\n\
         | figure | level | degree | cells | nodes | deflection | error |\n|---|---|---|---|---|---|---|\n",
        100.0 * TIP
    );
    for (figure, young) in [(Figure::LetterC, 1e7), (Figure::Dragon, 1e7)] {
        let surface = figure.surface(0.05);
        progress(&format!("{}, reference", figure.name()));
        let (_, reference) = hanging_tip(&surface, 3, 2, young)?;
        let tip = tip(&reference);
        let expected = mean(&reference, &tip);
        let mut rows = Vec::new();
        for (level, degree) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1)] {
            progress(&format!("{}, level {level}, degree {degree}", figure.name()));
            let (sizes, moves) = hanging_tip(&surface, level, degree, young)?;
            rows.push((sizes, level, degree, mean(&moves, &tip)));
        }
        rows.sort_by_key(|((_, nodes), ..)| *nodes);
        for ((cells, nodes), level, degree, deflection) in rows {
            writeln!(
                text,
                "| {} | {level} | {degree} | {cells} | {nodes} | {:.1} mm | {:.1} % |",
                figure.name(),
                1e3 * deflection,
                100.0 * (deflection / expected - 1.0)
            )?;
        }
    }
    Ok(text)
}

/// Returns the cell and node counts, and the displacements of the vertices.
fn hanging_tip(
    surface: &Surface,
    level: u32,
    degree: usize,
    young: f64,
) -> Result<((usize, usize), Vec<DVec3>)> {
    let made = voxels(surface, level, LEAVES, degree)?;
    let model = model(&made, Weighting::Distributed, young)?;
    let moves = deflections(&made, model, surface.vertices.len())?;
    Ok(((made.report.cell_count, made.report.node_count), moves))
}

/// The vertices with the largest displacements.
fn tip(moves: &[DVec3]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by(|a, b| moves[*b].length().total_cmp(&moves[*a].length()));
    order.truncate(((TIP * moves.len() as f64) as usize).max(1));
    order
}

fn mean(moves: &[DVec3], which: &[usize]) -> f64 {
    which.iter().map(|vertex| moves[*vertex].length()).sum::<f64>() / which.len() as f64
}
