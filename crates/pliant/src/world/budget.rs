//! Keeping to a time.

use std::time::Duration;

use super::{Effort, StepReport};

/// Keeps the steps of a world within a time, by their [`Effort`].
///
/// It learns what steps cost on the machine at hand, by recursive least squares with forgetting (Plackett 1950):
///
/// ```text
/// t = α stepped + β landed + γ stepped · iterations + δ breaks
/// ```
///
/// - `stepped` the unknowns of bodies that are stepped, `landed` those of bodies that [took two steps at once](Effort::half_rate) before
///
/// and shares out what `α` and `β` leave of the time: so the first frame of a collapse is no longer than the last. Bodies are stepped at
/// half rate where they would leave too little.
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
    /// α, β, γ and δ, in s.
    cost: [f64; 4],
    /// How little is known of them.
    doubt: [[f64; 4]; 4],
    /// What is granted next.
    granted: Effort,
}

/// Costs before any is known, in s: those of a slow machine.
const COST: [f64; 4] = [3e-6, 0.5e-6, 60e-9, 1.5e-3];

/// Weight of what was learnt, from step to step.
const MEMORY: f64 = 0.98;

/// Share of the time that is planned for: some is left to chance.
const PLANNED: f64 = 0.6;

/// Share of what is left of that for breaks; the rest is for iterations. What breaks late breaks otherwise, and what is solved for late
/// only settles late.
const BREAKS: f64 = 0.8;

/// Share of what is planned that may go into other things than iterations and breaks before bodies are stepped at half rate.
const BASE: f64 = 0.5;

/// Fewest iterations that are worth a solve.
const FEWEST: f64 = 4.0;

/// Most iterations of the first step.
const FIRST: u32 = 16;

impl Budget {
    /// For steps of so much time.
    pub fn new(time: Duration) -> Self {
        let mut doubt = [[0.0; 4]; 4];
        (0..4).for_each(|k| doubt[k][k] = (10.0 * COST[k]).powi(2));
        let time = time.as_secs_f64();
        let budget = Self { time, cost: COST, doubt, granted: Effort::default() };
        // How large the world is, is not known yet.
        let iterations = Some(FIRST);
        Self { granted: Effort { iterations, ..budget.planned(0.0, 0.0) }, ..budget }
    }

    /// Time for a step.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.time)
    }

    /// The effort of the next step.
    pub fn effort(&self) -> Effort {
        self.granted
    }

    /// Learns from a step that took so long, and had the effort that was granted.
    pub fn note(&mut self, took: Duration, report: &StepReport) {
        let took = took.as_secs_f64();
        let StepReport { linear, landed, leapt, broken, .. } = *report;
        let [stepped, landed, leapt] = [linear.unknowns, landed, leapt].map(|count| count as f64);
        self.learn([stepped, landed, linear.work as f64, f64::from(broken)], took);
        // Nothing is for free, however steps have varied.
        self.cost.iter_mut().zip(COST).for_each(|(cost, usual)| {
            *cost = cost.clamp(0.02 * usual, 50.0 * usual);
        });
        let before = self.granted;
        self.granted = self.planned((stepped + landed - leapt).max(0.0), leapt);
        if took < PLANNED * self.time {
            self.grant_more(&before, report);
        }
    }

    /// What is planned for a step of so many unknowns that are stepped, and so many that are not.
    fn planned(&self, stepped: f64, landed: f64) -> Effort {
        let [alpha, beta, gamma, delta] = self.cost;
        let planned = PLANNED * self.time;
        let left = (planned - alpha * stepped - beta * landed).max(0.0);
        let breaks = (BREAKS * left / delta).floor().max(1.0);
        let iterations = ((1.0 - BREAKS) * left / (gamma * stepped)).floor().max(FEWEST);
        let half_rate = alpha * (stepped + landed) > BASE * planned;
        // As many as there are numbers for where nothing is stepped.
        Effort { iterations: Some(iterations as u32), breaks: Some(breaks as u32), half_rate }
    }

    /// Grants somewhat more than `before` of what was given up in a step that took less than was planned: so what was learnt wrongly, of a
    /// cost that was never seen without another, is seen.
    fn grant_more(&mut self, before: &Effort, report: &StepReport) {
        let Effort { iterations, breaks, .. } = &mut self.granted;
        if report.given_up.breaks > 0 {
            *breaks = (*breaks).max(Some(report.broken + 1));
        }
        if let (true, Some(before)) = (report.given_up.solves > 0, before.iterations) {
            *iterations = (*iterations).max(Some(before + before / 4 + 1));
        }
    }

    /// One step of least squares: what was `seen` cost `took`.
    fn learn(&mut self, seen: [f64; 4], took: f64) {
        /// How much the time of a step varies by chance, in s.
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
        // What is not seen for long is not forgotten beyond what was known at first.
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
