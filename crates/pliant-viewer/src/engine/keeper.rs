//! Keeping steps within the time that a scene gives them.

use std::collections::VecDeque;
use std::time::Duration;

use pliant::world::{Budget, Effort, GivenUp, StepReport, World};

/// Steps over which what was given up is told: a second of them at the usual pace.
const TOLD: usize = 60;

/// Keeps to the budget of a scene, which may change from step to step.
#[derive(Debug, Default)]
pub struct Keeper {
    budget: Option<(Duration, Budget)>,
    /// What the last steps have given up.
    given_up: VecDeque<GivenUp>,
}

impl Keeper {
    /// Grants the next step of a world what fits into so much time; all that it wants, if none is given.
    pub fn grant(&mut self, time: Option<Duration>, world: &mut World) {
        if self.budget.as_ref().map(|(time, _)| *time) != time {
            self.budget = time.map(|time| (time, Budget::new(time)));
            self.given_up.clear();
        }
        let budget = self.budget.as_ref().map(|(_, budget)| budget);
        world.set_effort(budget.map_or_else(Effort::default, Budget::effort));
    }

    /// Learns from that step, which took so long.
    pub fn note(&mut self, took: Duration, report: &StepReport) {
        let Some((_, budget)) = &mut self.budget else { return };
        budget.note(took, report);
        self.given_up.truncate(TOLD - 1);
        self.given_up.push_front(report.given_up);
    }

    /// What each of the last steps has given up, at most sixty of them; `None` without a budget.
    pub fn given_up(&self) -> Option<impl ExactSizeIterator<Item = &GivenUp>> {
        self.budget.as_ref().map(|_| self.given_up.iter())
    }
}
