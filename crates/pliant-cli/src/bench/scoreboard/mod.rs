//! Error against time: three bars for every kind of cell, under the default stepper and XPBD, and in other engines.
//!
//! `scripts/scoreboard` puts the result into `docs/speed.md`.

mod bars;
mod entry;
mod family;
mod rows;

use std::path::Path;

use anyhow::Result;

use super::Progress;
use super::plot::{self, Curve, Line, Plot};
use crate::args::BenchArgs;
use crate::terminal::print;
use entry::{Problem, Reference};
use rows::Measured;

/// The picture, written to the current folder.
const PICTURE: &str = "scoreboard.svg";

/// The smallest error in the picture: smaller ones are drawn there.
const SMALLEST: f64 = 1e-5;

/// Measures all entrants and prints their rows, then writes the picture.
pub(super) fn table(_: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    progress("references");
    let reference = Reference::new()?;
    print(&rows::head(&reference))?;
    let mut measured = Vec::new();
    for family in family::families() {
        let mut entries = Vec::new();
        for across in family.sizes {
            progress(&format!("{}, {across} boxes across", family.name));
            let entry = family.measure(*across);
            print(&rows::row(&family, &entry, &reference))?;
            entries.push(entry);
        }
        measured.push((family, entries));
    }
    print(&rows::reasons(&measured))?;
    print(&rows::ratios(&measured, &reference))?;
    let plots = Problem::ALL.map(|problem| plot(problem, &measured, &reference));
    plot::write_with_legend(Path::new(PICTURE), &plots)?;
    print(&format!("\nThe picture is in `{PICTURE}`.\n"))
}

/// The panel of a problem: a line for each entrant.
fn plot(problem: Problem, measured: &[Measured], reference: &Reference) -> Plot {
    let curve = |(family, entries): &Measured| {
        let points = entries.iter().filter_map(|entry| entry.point(problem, reference));
        let percent = |[ms, error]: [f64; 2]| [ms, 1e2 * error.max(SMALLEST)];
        Curve {
            name: family.name,
            colour: family.colour,
            line: if family.is_dashed() { Line::Dashed } else { Line::Solid },
            points: points.map(percent).collect(),
        }
    };
    Plot { title: problem.title(), x: "ms per frame", curves: measured.iter().map(curve).collect() }
}
