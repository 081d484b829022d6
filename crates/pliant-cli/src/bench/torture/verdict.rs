//! The sum of all rows: how many fail in each group of scenes.

use std::fmt::Write as _;

use pliant::contact::ContactLevel;

use super::engine::{Engine, Job};
use super::run::Outcome;

/// The columns: the default stepper at both levels, all other steppers, Rapier.
const COLUMNS: [&str; 4] =
    ["default stepper, game", "default stepper, safe", "other steppers", "Rapier"];

/// Runs that were measured, and those that failed.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    failed: usize,
    all: usize,
}

/// Counts for each group of scenes, in the order of the rows.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    groups: Vec<(String, [Count; COLUMNS.len()])>,
    unmeasured: usize,
}

impl Verdict {
    /// Adds a run. One that ended with an error has failed; one in Rapier was then not measured.
    pub(super) fn add(&mut self, job: &Job<'_>, outcome: &Outcome) {
        let has_failed = match outcome {
            Ok(figures) => !job.case.bars.misses(figures, job.engine.is_safe()).is_empty(),
            Err(_) if job.engine == Engine::Rapier => {
                self.unmeasured += 1;
                return;
            }
            Err(_) => true,
        };
        let group = job.case.group();
        if self.groups.last().is_none_or(|(name, _)| name != group) {
            self.groups.push((group.to_owned(), Default::default()));
        }
        if let Some((_, counts)) = self.groups.last_mut() {
            let count = &mut counts[column(job.engine)];
            count.all += 1;
            count.failed += usize::from(has_failed);
        }
    }

    /// A table, and the sums in words.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "\nRuns that fail, of all runs:\n\n| scenes | {} |\n|---|---|---|---|---|\n",
            COLUMNS.join(" | ")
        );
        for (name, counts) in &self.groups {
            let cells = counts.map(|count| match count.all {
                0 => "–".to_owned(),
                all => format!("{} of {all}", count.failed),
            });
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
        let sum = |column: usize| {
            let counts = self.groups.iter().map(|(_, counts)| counts[column]);
            counts.fold([0; 2], |[failed, all], count| [failed + count.failed, all + count.all])
        };
        let [[game, games], [safe, safes], [other, others], [rapier, rapiers]] =
            [0, 1, 2, 3].map(sum);
        let _ = write!(
            text,
            "\nDefault stepper: {} of {} runs fail. Other steppers: {other} of {others}. Rapier: {rapier} of {rapiers}, and {} were not measured.\n",
            game + safe,
            games + safes,
            self.unmeasured,
        );
        text
    }
}

/// The column of an engine.
fn column(engine: Engine) -> usize {
    match engine {
        Engine::Rapier => 3,
        _ if !engine.is_default() => 2,
        Engine::Pliant { level: ContactLevel::Safe, .. } => 1,
        Engine::Pliant { .. } => 0,
    }
}
