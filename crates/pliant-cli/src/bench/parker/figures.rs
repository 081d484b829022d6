//! Figures 7 and 8 of Parker & O'Brien 2009: time by phase, and workload, over time.

use std::path::Path;

use anyhow::Result;

use super::recording::Recording;
use super::run::{Frame, PHASES, Run};
use super::workload::Workload;
use crate::bench::chart::{self, Chart, Series};

const PHASES_PICTURE: &str = "parker-phases.svg";
const WORKLOAD_PICTURE: &str = "parker-workload.svg";

/// Draws the time of the phases of each frame.
pub(super) fn phases(cell: &Recording) -> Result<String> {
    let run = cell.fastest(cell.threads)?;
    let curve = |(name, phase): (&'static str, pliant::solver::Phase)| Series {
        name,
        values: run.drawn().iter().map(|frame| frame.phases[phase as usize]).collect(),
    };
    let took = |series: &Series| series.values.iter().sum::<f64>() > 0.0;
    let curves = PHASES.into_iter().map(curve).filter(took).collect();
    let title = "time by phase, ms, threads together";
    chart::write(Path::new(PHASES_PICTURE), &[Chart { title, dt: run.dt, stacked: true, curves }])?;
    Ok(format!(
        "\n## Time by phase, and workload\n\n\
         The charts are in `{PHASES_PICTURE}` and `{WORKLOAD_PICTURE}` (figures 7 and 8 of the paper).\n\n"
    ))
}

/// The name of a count, and the function that reads it from a workload.
type Count = (&'static str, fn(&Workload) -> usize);

/// Draws the workload of each frame, and lists the maxima.
pub(super) fn workload(cell: &Recording) -> Result<String> {
    let matter: &[Count] = &[
        ("cells awake", |work| work.awake_cells),
        ("cells asleep", |work| work.cells - work.awake_cells),
        ("nodes awake", |work| work.awake_nodes),
        ("contacts of bodies", |work| work.contacts),
    ];
    let groups: &[Count] = &[
        ("bodies and fragments", |work| work.bodies),
        ("awake", |work| work.awake),
        ("islands", |work| work.islands),
        ("breaks", |work| work.openings),
    ];
    let run = cell.first()?;
    let charts = [
        chart("matter and contacts", matter, run),
        chart("bodies and fragments, islands, breaks in a frame", groups, run),
    ];
    chart::write(Path::new(WORKLOAD_PICTURE), &charts)?;
    let mut text = String::from("| | maximum in a frame | at | at the end |\n|---|---|---|---|\n");
    let last = run.last()?.work;
    for (name, count) in matter.iter().chain(groups) {
        let (at, most) = most(&run.frames, *count);
        let time = run.dt * (at + 1) as f64;
        text += &format!("| {name} | {most} | {time:.2} s | {} |\n", count(&last));
    }
    Ok(text)
}

fn chart(title: &'static str, counts: &[Count], run: &Run) -> Chart {
    let curve = |(name, count): &Count| Series {
        name,
        values: run.drawn().iter().map(|frame| count(&frame.work) as f64).collect(),
    };
    Chart { title, dt: run.dt, stacked: false, curves: counts.iter().map(curve).collect() }
}

/// The first frame with the largest count, and that count.
fn most(frames: &[Frame], count: fn(&Workload) -> usize) -> (usize, usize) {
    let counts = frames.iter().map(|frame| count(&frame.work)).enumerate();
    counts.fold((0, 0), |best, (frame, count)| if count > best.1 { (frame, count) } else { best })
}
