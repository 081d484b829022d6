//! A time budget for steps.

use std::time::Duration;

use super::limits::StepLimits;
use super::report::report::StepReport;

/// Keeps the steps of a world within a time, by setting their [`StepLimits`].
///
/// It measures the cost of steps on the machine at hand, by recursive least squares with forgetting (Plackett 1950):
///
/// ```text
/// t = α stepped + β finished + γ stepped · iterations + δ breaks
/// ```
///
/// - `stepped` the unknowns of bodies that are stepped, `finished` those of bodies that end a [double step](StepLimits::half_rate)
///
/// and divides the time that `α` and `β` leave between iterations and breaks, so that the first frame of a collapse is no longer than
/// the last. Bodies are stepped at half rate if too little time would be left.
///
/// ```
/// use std::time::{Duration, Instant};
/// use pliant::world::Budget;
/// use pliant::{World, WorldConfig};
///
/// let mut world = World::new(WorldConfig::default())?;
/// let mut budget = Budget::new(Duration::from_millis(8));
/// for _ in 0..60 {
///     world.set_limits(budget.limits());
///     let begin = Instant::now();
///     let report = world.step();
///     budget.note(begin.elapsed(), &report);
///     assert!(report.compromises.is_none(), "there is nothing to do yet");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    /// Time for a step, in s.
    time: f64,
    /// α, β, γ and δ, in s.
    cost: [f64; 4],
    /// Covariance of these costs, in s².
    doubt: [[f64; 4]; 4],
    /// The limits of the next step.
    granted: StepLimits,
}

/// Costs before any measurement, in s: those of a slow machine.
const COST: [f64; 4] = [3e-6, 0.5e-6, 60e-9, 1.5e-3];

/// Weight of earlier measurements, from step to step.
const MEMORY: f64 = 0.98;

/// The part of the time that is planned; the rest is a margin.
const PLANNED: f64 = 0.6;

/// The part of the remaining time for breaks; the rest is for iterations. A late break changes the outcome, a late iteration only
/// delays it.
const BREAKS: f64 = 0.8;

/// The part of the planned time that may go into anything but iterations and breaks, before bodies are stepped at half rate.
const BASE: f64 = 0.5;

/// The least number of iterations of a useful solve.
const MIN_ITERATIONS: f64 = 4.0;

/// The most iterations of a solve in the first step.
const FIRST_STEP_ITERATIONS: u32 = 16;

impl Budget {
    /// A budget of `time` for each step.
    pub fn new(time: Duration) -> Self {
        let mut doubt = [[0.0; 4]; 4];
        (0..4).for_each(|k| doubt[k][k] = (10.0 * COST[k]).powi(2));
        let time = time.as_secs_f64();
        let budget = Self { time, cost: COST, doubt, granted: StepLimits::default() };
        // The size of the world is not known yet.
        let iterations = Some(FIRST_STEP_ITERATIONS);
        Self { granted: StepLimits { iterations, ..budget.planned(0.0, 0.0) }, ..budget }
    }

    /// Time for a step.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    /// The limits of the next step.
    pub fn limits(&self) -> StepLimits {
        self.granted
    }

    /// Takes in the time of a step that kept to [`Self::limits`], and finds the limits of the next.
    pub fn note(&mut self, took: Duration, report: &StepReport) {
        let took = took.as_secs_f64();
        let StepReport { linear, finished_unknowns, doubled_unknowns, broken, .. } = *report;
        let [stepped, finished, doubled] =
            [linear.unknowns, finished_unknowns, doubled_unknowns].map(|count| count as f64);
        self.learn([stepped, finished, linear.work as f64, f64::from(broken)], took);
        // Keeps every cost positive and plausible, however steps have varied.
        self.cost.iter_mut().zip(COST).for_each(|(cost, usual)| {
            *cost = cost.clamp(0.02 * usual, 50.0 * usual);
        });
        let before = self.granted;
        self.granted = self.planned((stepped + finished - doubled).max(0.0), doubled);
        if took < PLANNED * self.time {
            self.grant_more(&before, report);
        }
    }

    /// The limits for a step with `stepped` unknowns to solve for, and `finished` ones that end a double step.
    fn planned(&self, stepped: f64, finished: f64) -> StepLimits {
        let [alpha, beta, gamma, delta] = self.cost;
        let planned = PLANNED * self.time;
        let left = (planned - alpha * stepped - beta * finished).max(0.0);
        let breaks = (BREAKS * left / delta).floor().max(1.0);
        let iterations = ((1.0 - BREAKS) * left / (gamma * stepped)).floor().max(MIN_ITERATIONS);
        let half_rate = alpha * (stepped + finished) > BASE * planned;
        // If nothing is stepped, the division gives infinity, which `as` turns into the largest number.
        StepLimits { iterations: Some(iterations as u32), breaks: Some(breaks as u32), half_rate }
    }

    /// Raises the limits that cut a step which took less time than planned. Otherwise a cost that was overestimated, and is never
    /// seen apart from another, would never be corrected.
    fn grant_more(&mut self, before: &StepLimits, report: &StepReport) {
        let StepLimits { iterations, breaks, .. } = &mut self.granted;
        if report.compromises.breaks > 0 {
            *breaks = (*breaks).max(Some(report.broken + 1));
        }
        if let (true, Some(before)) = (report.compromises.solves > 0, before.iterations) {
            *iterations = (*iterations).max(Some(before + before / 4 + 1));
        }
    }

    /// One update of least squares: the work `seen` took `took` seconds.
    fn learn(&mut self, seen: [f64; 4], took: f64) {
        /// Standard deviation of the time of a step, in s.
        const NOISE: f64 = 1e-3;
        let gained = self.doubt.map(|row| dot(&row, &seen));
        let scale = MEMORY * NOISE * NOISE + dot(&gained, &seen);
        let error = took - dot(&self.cost, &seen);
        for row in 0..4 {
            self.cost[row] += gained[row] * error / scale;
            for column in 0..4 {
                let known = gained[row] * gained[column] / scale;
                self.doubt[row][column] = (self.doubt[row][column] - known) / MEMORY;
            }
        }
        // Forgetting stops at the initial covariance.
        for (k, usual) in COST.iter().enumerate() {
            let most = (10.0 * usual).powi(2);
            if self.doubt[k][k] > most {
                let shrink = (most / self.doubt[k][k]).sqrt();
                for other in 0..4 {
                    self.doubt[k][other] *= shrink;
                    self.doubt[other][k] *= shrink;
                }
            }
        }
    }
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
