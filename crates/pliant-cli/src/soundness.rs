//! Counts of problems: their words, and which of them spoil a run.

use pliant::world::Health;
use serde::Serialize;

/// Number of problems that the engine recovered from.
#[derive(Debug, Serialize)]
pub(crate) struct HealthReport {
    pub(crate) inverted: usize,
    pub(crate) non_finite: usize,
    pub(crate) resets: usize,
    pub(crate) unconverged: usize,
    pub(crate) fallbacks: usize,
}

/// One count of problems.
struct Counter {
    count: usize,
    words: [&'static str; 2],
    /// True if a single one means that the motion is not that of the scene: `--strict` then fails.
    spoils: bool,
}

impl From<Health> for HealthReport {
    fn from(health: Health) -> Self {
        let Health { inverted, non_finite, resets, unconverged, fallbacks } = health;
        Self { inverted, non_finite, resets, unconverged, fallbacks }
    }
}

impl HealthReport {
    /// Every count: the one place that says what it is called and whether it spoils a run.
    fn counters(&self) -> [Counter; 5] {
        let Self { inverted, non_finite, resets, unconverged, fallbacks } = *self;
        let counter = |count, words, spoils| Counter { count, words, spoils };
        [
            counter(inverted, ["cell inverted", "cells inverted"], false),
            counter(non_finite, ["non-finite step", "non-finite steps"], true),
            counter(resets, ["reset", "resets"], true),
            counter(unconverged, ["solve not converged", "solves not converged"], false),
            counter(fallbacks, ["step damped", "steps damped"], false),
        ]
    }

    /// All counts in words, or `good` if all are zero.
    pub(crate) fn words(&self) -> String {
        match self.counters().iter().all(|counter| counter.count == 0) {
            true => "good".to_owned(),
            false => self.counters().iter().map(Counter::text).collect::<Vec<_>>().join(", "),
        }
    }

    /// True if no problem spoiled the run.
    pub(crate) fn is_sound(&self) -> bool {
        self.verdict().is_none()
    }

    /// A line about the problems that spoiled the run; `None` if there were none.
    pub(crate) fn verdict(&self) -> Option<String> {
        let spoiling = self.counters().into_iter().filter(|c| c.spoils && c.count > 0);
        let words: Vec<String> = spoiling.map(|counter| counter.text()).collect();
        (!words.is_empty()).then(|| {
            format!(
                "not sound: {}; the motion from there on is not that of the scene (see the warnings)",
                words.join(", ")
            )
        })
    }
}

impl Counter {
    fn text(&self) -> String {
        let [one, many] = self.words;
        format!("{} {}", self.count, if self.count == 1 { one } else { many })
    }
}
