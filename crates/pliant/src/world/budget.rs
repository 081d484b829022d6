//! Keeping to a time.

use std::time::Duration;

use super::{Effort, StepReport};

/// Keeps the steps of a world within a time, by their [`Effort`].
///
/// It learns what steps cost on the machine at hand, by recursive least squares with forgetting (Plackett 1950):
///
/// ```text
/// t = α unknowns + γ unknowns · iterations + δ breaks
/// ```
///
/// and shares out what `α` leaves of the time: so the first frame of a collapse is no longer than the last.
///
/// ```
/// use std::time::{Duration, Instant};
/// use pliant::world::{Budget, World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let mut budget = Budget::new(Duration::from_millis(8));
/// for _ in 0..60 {
///     world.set_effort(budget.effort());
///     let begin = Instant::now();
///     let report = world.step();
///     budget.note(begin.elapsed(), &report);
///     assert!(report.given_up.is_nothing(), "there is nothing to do yet");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    /// Time for a step, in s.
    time: f64,
    /// α, γ and δ, in s.
    cost: [f64; 3],
    /// How little is known of them.
    doubt: [[f64; 3]; 3],
    /// Unknowns of the last step.
    unknowns: f64,
}

/// Costs before any is known, in s: those of a slow machine.
const COST: [f64; 3] = [3e-6, 60e-9, 2e-3];

/// Weight of what was learnt, from step to step.
const MEMORY: f64 = 0.98;

/// Share of the time that is planned for: some is left to chance.
const PLANNED: f64 = 0.7;

/// Share of what is planned that breaks may take, if there are any.
const BREAKS: f64 = 0.5;

/// Fewest iterations that are worth a solve.
const FEWEST: f64 = 4.0;

impl Budget {
    /// For steps of so much time.
    pub fn new(time: Duration) -> Self {
        let mut doubt = [[0.0; 3]; 3];
        (0..3).for_each(|k| doubt[k][k] = (10.0 * COST[k]).powi(2));
        Self { time: time.as_secs_f64(), cost: COST, doubt, unknowns: 0.0 }
    }

    /// Time for a step.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    /// The effort of the next step.
    pub fn effort(&self) -> Effort {
        let [alpha, gamma, delta] = self.cost;
        let left = (PLANNED * self.time - alpha * self.unknowns).max(0.0);
        let breaks = (BREAKS * left / delta).floor().max(1.0);
        let iterations = if self.unknowns > 0.0 {
            ((1.0 - BREAKS) * left / (gamma * self.unknowns)).floor().max(FEWEST)
        } else {
            f64::from(u32::MAX)
        };
        Effort { iterations: Some(iterations as u32), breaks: Some(breaks as u32) }
    }

    /// Learns from a step that took so long.
    pub fn note(&mut self, took: Duration, report: &StepReport) {
        let took = took.as_secs_f64();
        let [unknowns, work] = [report.linear.unknowns as f64, report.linear.work as f64];
        let seen = [unknowns, work, f64::from(report.broken)];
        self.unknowns = unknowns;
        self.learn(seen, took);
        // Nothing is for free, however steps have varied.
        self.cost.iter_mut().zip(COST).for_each(|(cost, usual)| {
            *cost = cost.clamp(0.02 * usual, 50.0 * usual);
        });
    }

    /// One step of least squares: what was `seen` cost `took`.
    fn learn(&mut self, seen: [f64; 3], took: f64) {
        /// How much the time of a step varies by chance, in s.
        const NOISE: f64 = 1e-3;
        let gained = self.doubt.map(|row| dot(&row, &seen));
        let scale = MEMORY * NOISE * NOISE + dot(&gained, &seen);
        let error = took - dot(&self.cost, &seen);
        for row in 0..3 {
            self.cost[row] += gained[row] * error / scale;
            for column in 0..3 {
                let known = gained[row] * gained[column] / scale;
                self.doubt[row][column] = (self.doubt[row][column] - known) / MEMORY;
            }
        }
        // What is not seen for long is not forgotten beyond what was known at first.
        for (k, usual) in COST.iter().enumerate() {
            let most = (10.0 * usual).powi(2);
            if self.doubt[k][k] > most {
                let shrink = (most / self.doubt[k][k]).sqrt();
                for other in 0..3 {
                    self.doubt[k][other] *= shrink;
                    self.doubt[other][k] *= shrink;
                }
            }
        }
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
