//! The printed table.

use super::bars::{joules, millimetres};
use super::case::Case;
use super::engine::{Engine, Job};
use super::run::Outcome;

/// The columns.
const COLUMNS: &str = "scene | stepper | level | step | verdict | resets | not finite | inverted | energy gained, J | deepest, mm | \
    steps with intersections | speed at the end, mm/s | drift, mm | asleep, s | ms a step | bars missed";

/// The verdict on a run that misses a bar.
const FAILS: &str = "**fails**";

/// The text above the table.
pub(super) fn head(cases: &[Case]) -> String {
    let count = COLUMNS.split('|').count();
    format!(
        "{} scenes with their steppers, contact levels and time steps. `docs/torture.md` defines all columns. Times are those of one \
         thread, without the tests.\n\n| {COLUMNS} |\n{}|\n",
        cases.len(),
        "|---".repeat(count),
    )
}

/// The row of a run.
pub(super) fn row(job: &Job<'_>, outcome: &Outcome) -> String {
    let Job { case, engine, rate } = job;
    let start = format!("| {} | {engine} | 1/{rate} |", case.name);
    let f = match outcome {
        Ok(figures) => figures,
        Err(reason) => {
            let verdict = if *engine == Engine::Rapier { "–" } else { FAILS };
            return format!("{start} {verdict} {}| {reason} |\n", "| – ".repeat(10));
        }
    };
    let misses = case.bars.misses(f, engine.is_safe());
    let verdict = if misses.is_empty() { "holds" } else { FAILS };
    // Rapier has no resets and cells, and its surfaces are not tested.
    let of_pliant = |count: usize| match engine {
        Engine::Rapier => "–".to_owned(),
        Engine::Pliant { .. } => count.to_string(),
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    format!(
        "{start} {verdict} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} |\n",
        of_pliant(f.resets),
        f.non_finite,
        of_pliant(f.inverted),
        or_none(f.energy_gain().map(joules)),
        millimetres(f.depth),
        of_pliant(f.intersecting),
        millimetres(f.speed),
        or_none(f.drift.map(millimetres)),
        or_none(f.asleep.map(|time| format!("{time:.1}"))),
        f.ms,
        misses.join("; "),
    )
}
