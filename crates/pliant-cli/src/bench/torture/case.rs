//! A scene with the settings under which it runs and the bars that it must meet.

use pliant::contact::ContactLevel;
use pliant::solver::Stepper;

use super::bars::Bars;
use super::engine::{Engine, Job};

/// The steppers of scenes with soft bodies; the default comes first.
pub(super) const STEPPERS: [Stepper; 5] =
    [Stepper::Bdf2, Stepper::ImplicitEuler, Stepper::Variational, Stepper::Newmark, Stepper::Xpbd];

/// The steppers of scenes with cells so thin that explicit steps would be too short.
pub(super) const IMPLICIT_STEPPERS: [Stepper; 4] =
    [Stepper::Bdf2, Stepper::ImplicitEuler, Stepper::Variational, Stepper::Xpbd];

/// The steppers of scenes with rigid bodies only, for which the stepper makes no difference, and of very large scenes.
pub(super) const DEFAULT_STEPPER: [Stepper; 1] = [Stepper::Bdf2];

/// Steps per second of most scenes.
pub(super) const RATES: [u32; 3] = [30, 60, 120];

/// Both levels with contact between bodies.
const LEVELS: [ContactLevel; 2] = [ContactLevel::Game, ContactLevel::Safe];

/// A scene, its runs and its bars.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// Words that name its group and what is special about it.
    pub(super) name: String,
    /// Further lines of the table `[world]` of its scene file.
    pub(super) world: &'static str,
    /// The bodies and obstacles of its scene file. Bodies with a stepper of their own keep it.
    pub(super) text: String,
    /// Simulated time, in s.
    pub(super) seconds: f64,
    /// Its steppers.
    pub(super) steppers: &'static [Stepper],
    /// Its steps per second.
    pub(super) rates: &'static [u32],
    /// What it must meet.
    pub(super) bars: Bars,
    /// True if `--short` runs it, under the default stepper at 1/60 s.
    pub(super) short: bool,
    /// The words that name the same scene in the program with Rapier.
    pub(super) rapier: Option<String>,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            name: String::new(),
            world: "",
            text: String::new(),
            seconds: 20.0,
            steppers: &STEPPERS,
            rates: &RATES,
            bars: Bars::default(),
            short: false,
            rapier: None,
        }
    }
}

impl Case {
    /// The first word of its name, without the number.
    pub(super) fn group(&self) -> &str {
        let word = self.name.split(' ').next().unwrap_or_default();
        match word.rsplit_once('-') {
            Some((group, rest)) if rest.starts_with(|c: char| c.is_ascii_digit()) => group,
            _ => word,
        }
    }

    /// All its runs; those in Rapier come last.
    pub(super) fn jobs(&self) -> Vec<Job<'_>> {
        let mut jobs = Vec::new();
        for &stepper in self.steppers {
            for level in LEVELS {
                let engine = Engine::Pliant { stepper, level };
                jobs.extend(self.rates.iter().map(|&rate| Job { case: self, engine, rate }));
            }
        }
        if self.rapier.is_some() {
            let engine = Engine::Rapier;
            jobs.extend(self.rates.iter().map(|&rate| Job { case: self, engine, rate }));
        }
        jobs
    }
}
