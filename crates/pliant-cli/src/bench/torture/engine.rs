//! One run of a scene.

use std::fmt;

use pliant::contact::ContactLevel;
use pliant::solver::Stepper;

use super::case::Case;

/// The engine of a run, with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    Pliant { stepper: Stepper, level: ContactLevel },
    Rapier,
}

/// A scene with an engine and a time step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) case: &'a Case,
    pub(super) engine: Engine,
    /// Steps per second.
    pub(super) rate: u32,
}

impl Engine {
    /// True if steps must end without intersections.
    pub(super) fn is_safe(self) -> bool {
        matches!(self, Self::Pliant { level: ContactLevel::Safe, .. })
    }

    /// True for Pliant with its default stepper.
    pub(super) fn is_default(self) -> bool {
        matches!(self, Self::Pliant { stepper: Stepper::Bdf2, .. })
    }
}

impl fmt::Display for Engine {
    /// Two cells of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pliant { stepper, level } => write!(f, "{} | {}", stepper.name(), level.name()),
            Self::Rapier => f.write_str("Rapier | –"),
        }
    }
}

impl Job<'_> {
    /// The words that `--only` searches.
    pub(super) fn name(&self) -> String {
        format!("{} {} 1/{}", self.case.name, self.engine, self.rate)
    }

    /// The scene file of the run.
    pub(super) fn scene_text(&self) -> String {
        let (world, method) = match self.engine {
            Engine::Pliant { stepper, level } => (
                format!("contact = \"{}\"\n", level.name()),
                format!("[method]\nstepper = \"{}\"\n", stepper.name()),
            ),
            Engine::Rapier => Default::default(),
        };
        let Case { text, seconds, world: own, .. } = self.case;
        let dt = 1.0 / f64::from(self.rate);
        format!(
            "version = 1\n[world]\nduration = {seconds:?}\ndt = {dt:?}\n{world}{own}\n{method}{text}"
        )
    }

    /// True if it is run with `--short`.
    pub(super) fn is_short(&self) -> bool {
        self.case.short && self.rate == 60 && self.engine.is_default()
    }
}
