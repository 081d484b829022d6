//! Keeps steps within the time budget of a scene.

use std::collections::VecDeque;
use std::time::Duration;

use pliant::world::{Budget, Compromises, StepLimits, StepReport, World};

/// Number of steps over which skipped work is reported: one second at the usual rate.
const REPORTED_STEPS: usize = 60;

/// Applies the time budget of a scene, which may change from step to step.
#[derive(Debug, Default)]
pub struct StepBudget {
    budget: Option<(Duration, Budget)>,
    /// Work skipped in the last steps.
    compromises: VecDeque<Compromises>,
}

impl StepBudget {
    /// Limits the effort of the next step to the time budget `time`; no limit if it is `None`.
    pub fn begin_step(&mut self, time: Option<Duration>, world: &mut World) {
        if self.budget.as_ref().map(|(time, _)| *time) != time {
            self.budget = time.map(|time| (time, Budget::new(time)));
            self.compromises.clear();
        }
        let budget = self.budget.as_ref().map(|(_, budget)| budget);
        world.set_limits(budget.map_or_else(StepLimits::default, Budget::limits));
    }

    /// Updates the cost estimates with a finished step.
    pub fn end_step(&mut self, took: Duration, report: &StepReport) {
        let Some((_, budget)) = &mut self.budget else { return };
        budget.note(took, report);
        self.compromises.truncate(REPORTED_STEPS - 1);
        self.compromises.push_front(report.compromises);
    }

    /// The work skipped in each of the last steps, at most sixty; `None` without a budget.
    pub fn compromises(&self) -> Option<impl ExactSizeIterator<Item = &Compromises>> {
        self.budget.as_ref().map(|_| self.compromises.iter())
    }
}
