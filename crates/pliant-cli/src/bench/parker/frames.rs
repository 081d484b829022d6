//! Frame times, awake and asleep, on one thread and on two.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::recording::{RUNS, Recording};
use super::run::{Frame, PHASES, Run};
use crate::bench::chart::{self, Chart, Series};
use crate::bench::spread::Spread;

/// Frame times of the scene, on all threads.
pub(super) fn table(cell: &Recording) -> Result<String> {
    let fastest = cell.fastest(cell.threads)?;
    let Run { length, dt, start, .. } = &fastest;
    let mut text = format!(
        "## Frames of `{}`: {} bodies, {} linear tetrahedra, {length} frames of 1/{:.0} s, {} threads\n\n\
         Target: a 99th percentile below 16.6 ms.\n\n\
         | run | mean, ms | median | 99th percentile | longest |\n|---|---|---|---|---|\n",
        cell.scene,
        start.bodies,
        start.cells,
        1.0 / dt,
        cell.threads
    );
    for (run, turn) in cell.on(cell.threads).zip(1..) {
        writeln!(text, "| {turn} | {} |", spread(scene_frames(run)))?;
    }
    writeln!(text, "| fastest of each frame | {} |", spread(scene_frames(&fastest)))?;
    writeln!(text, "| the same, {} | {} |", fastest.awake_name(), spread(fastest.awake()))?;
    text += &solves(scene_frames(&fastest));
    text += "\n| phase | ms a frame, threads together |\n|---|---|\n";
    for (name, phase) in PHASES {
        let frames = scene_frames(&fastest);
        let sum: f64 = frames.iter().map(|frame| frame.phases[phase as usize]).sum();
        if sum > 0.0 {
            writeln!(text, "| {name} | {:.3} |", sum / frames.len() as f64)?;
        }
    }
    Ok(text)
}

/// Frames within the duration of the scene, even if bodies are still awake after it.
fn scene_frames(run: &Run) -> &[Frame] {
    &run.frames[..run.length.min(run.frames.len())]
}

fn spread(frames: &[Frame]) -> Spread {
    Spread::of(frames.iter().map(|frame| frame.time).collect())
}

/// Statistics of the linear solves.
fn solves(frames: &[Frame]) -> String {
    let unconverged: u32 = frames.iter().map(|frame| frame.work.unconverged).sum();
    let short = frames.iter().filter(|frame| frame.work.unconverged > 0).count();
    let islands: usize = frames.iter().map(|frame| frame.work.islands).sum();
    let iterations: u32 = frames.iter().map(|frame| frame.work.iterations).sum();
    let openings: usize = frames.iter().map(|frame| frame.work.openings).sum();
    format!(
        "\n{islands} islands were stepped, with {:.0} iterations per frame; {unconverged} solves, in {short} frames, \
         stopped before they reached their tolerance. Bodies broke at {openings} places.\n",
        f64::from(iterations) / frames.len() as f64
    )
}

/// Time until everything sleeps, and the cost of a sleeping frame.
pub(super) fn asleep(cell: &Recording) -> Result<String> {
    let run = cell.fastest(cell.threads)?;
    let (awake, last) = (run.awake(), run.last()?.work);
    let seconds = run.dt * awake.len() as f64;
    let when = match run.is_asleep() {
        true => format!("All {} bodies sleep after {seconds:.1} s", last.bodies),
        false => {
            let asleep = last.bodies - last.awake;
            format!("After {seconds:.0} s {asleep} of {} bodies sleep", last.bodies)
        }
    };
    let (longest, ending) = (longest(&run.frames), run.ending());
    let mean = sum(ending) / ending.len() as f64;
    Ok(format!(
        "\n## Asleep\n\n\
         {when}; {} of them are fragments. The last {} frames take {:.1} µs each on average, {:.3} % of the longest, \
         {longest:.2} ms; target: less than 2 %.\n",
        last.bodies - run.start.bodies,
        ending.len(),
        1e3 * mean,
        100.0 * mean / longest
    ))
}

fn sum(frames: &[Frame]) -> f64 {
    frames.iter().map(|frame| frame.time).sum()
}

fn longest(frames: &[Frame]) -> f64 {
    frames.iter().map(|frame| frame.time).fold(0.0, f64::max)
}

/// The picture that corresponds to figure 6 of Parker & O'Brien 2009.
const PICTURE: &str = "parker-threads.svg";

/// A function that selects frames of a run.
type Frames = fn(&Run) -> &[Frame];

/// Two threads against one.
pub(super) fn threads(cell: &Recording) -> Result<String> {
    let (one, two) = (cell.fastest(1)?, cell.fastest(2)?);
    let curve = |(name, run): (&'static str, &Run)| Series {
        name,
        values: run.drawn().iter().map(|frame| frame.time).collect(),
    };
    let curves = [("1 thread", &one), ("2 threads", &two)].map(curve).into();
    let chart = Chart { title: "time of a frame, ms", dt: one.dt, stacked: false, curves };
    chart::write(Path::new(PICTURE), &[chart])?;
    let same = if cell.is_same()? { "yes" } else { "NO" };
    let mut text = format!(
        "\n## Two threads compared with one\n\n\
         The chart is in `{PICTURE}` (figure 6 of the paper). Sums over all frames, each the fastest of {RUNS} runs; \
         target: a ratio of at least 1.5.\n\n\
         | frames | one thread, ms | two | ratio | same bits |\n|---|---|---|---|---|\n"
    );
    let rows: [(String, Frames); 2] =
        [("those of the scene".to_owned(), scene_frames), (one.awake_name(), Run::awake)];
    for (name, frames) in rows {
        let [one, two] = [sum(frames(&one)), sum(frames(&two))];
        writeln!(text, "| {name} | {one:.0} | {two:.0} | {:.2} | {same} |", one / two)?;
    }
    Ok(text)
}
