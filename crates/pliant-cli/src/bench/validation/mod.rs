//! Statics against reference solutions: the tables of `docs/validation.md`.
//!
//! The reference numbers were computed with NGSolve 6.2 (high-order hexahedra graded toward the
//! clamped edges) and cross-checked with scikit-fem; the error of each is given with it.

mod bending;
mod case;
mod compression;
mod tension;
mod torsion;

use anyhow::Result;
use pliant::mesh::generate::Split;

use super::Progress;
use bending::bending;
use case::Grid;
use compression::compression;
use tension::tension;
use torsion::torsion;

/// The text before the tables.
const HEAD: &str = "\
# Validation

Made by `pliant bench validation`: static equilibria of the tests of Saillant et al. 2024, compared with reference solutions of an
independent package (NGSolve 6.2, high-order hexahedra graded toward the clamped edges, cross-checked with scikit-fem).
P1, P2, P3 are tetrahedra, five per box (`biased`: six); Q1 and Q2 are hexahedra. `a saddle` marks an equilibrium that is not a
minimum of energy. [Tests](tests.md) lists what else is tested.

";

/// The meshes of case D.
const CUBES: [Grid; 14] = [
    Grid::new(Split::Tet5, 1, [12, 12, 12]),
    Grid::new(Split::Tet6, 1, [12, 12, 12]),
    Grid::new(Split::Tet5, 2, [6, 6, 6]),
    Grid::new(Split::Tet6, 2, [6, 6, 6]),
    Grid::new(Split::Tet5, 3, [4, 4, 4]),
    Grid::new(Split::Hex, 1, [12, 12, 12]),
    Grid::new(Split::Hex, 2, [6, 6, 6]),
    Grid::new(Split::Prism, 1, [12, 12, 12]),
    Grid::new(Split::Pyramid, 1, [8, 8, 8]),
    Grid::new(Split::Tet5, 2, [6, 6, 6]).mean(),
    Grid::new(Split::Tet6, 2, [6, 6, 6]).mean(),
    Grid::new(Split::Tet5, 3, [4, 4, 4]).mean(),
    Grid::new(Split::Hex, 1, [12, 12, 12]).mean(),
    Grid::new(Split::Hex, 2, [6, 6, 6]).mean(),
];

/// All tables, as Markdown.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let mut text = HEAD.to_owned();
    bending(&mut text, progress)?;
    tension(&mut text, progress)?;
    torsion(&mut text, progress)?;
    compression(&mut text, &CUBES, progress)?;
    Ok(text)
}

/// Case D with as many quadratic cells as the paper has.
pub(super) fn large_tables(progress: Progress<'_>) -> Result<String> {
    let mut text = String::new();
    let biased = Grid::new(Split::Tet6, 2, [12, 13, 13]);
    let grids = [Grid::new(Split::Tet5, 2, [13, 13, 14]), biased, biased.mean()];
    compression(&mut text, &grids, progress)?;
    Ok(text)
}
