//! Steps of the world, by the clock or on request.

use std::time::Instant;

use pliant::solver::Phase;
use pliant::world::{Event, EventKind, StepReport, World};

use super::frame::Milliseconds;
use super::order::{Refusal, ReplyTo};
use super::phase_clock::PhaseClock;
use super::stage::Stage;
use super::step_budget::StepBudget;
use super::thread::Engine;
use super::version::Version;
use crate::protocol::message::Reply;

/// Events of the last step that match.
fn events_of(world: &World, kind: impl Fn(&EventKind) -> bool) -> impl Iterator<Item = &Event> {
    world.events().iter().filter(move |event| kind(&event.kind))
}

/// The phases that are reported together, in the order of the times of a frame.
const PHASES: [&[Phase]; 6] = [
    &[Phase::Contact],
    &[Phase::Forces],
    &[Phase::Degree],
    &[Phase::Assembly],
    &[Phase::Factor, Phase::Solve],
    &[Phase::Flow, Phase::Fracture, Phase::Update],
];

impl Engine {
    /// Takes a step.
    pub(super) fn step(&mut self) {
        self.grabs.move_targets(&mut self.stage);
        let own = self.stage.world.fields().len();
        for field in self.grabs.fields(&self.stage) {
            // The parameters were checked; an invalid field has no effect.
            let _ = self.stage.world.add_field(field);
        }
        self.step_budget.begin_step(self.stage.scene.budget, &mut self.stage.world);
        let begin = Instant::now();
        let (world, phases) = (&mut self.stage.world, &self.phases);
        let stepped =
            std::panic::AssertUnwindSafe(|| world.step_with(&|phase| phases.begin_phase(phase)));
        match std::panic::catch_unwind(stepped) {
            Ok(report) => self.report = report,
            Err(_) => return self.recover(),
        }
        self.step_budget.end_step(begin.elapsed(), &self.report);
        while self.stage.world.fields().len() > own {
            self.stage.world.remove_field(own);
        }
        let ms = self.milliseconds(begin);
        self.frame += 1;
        self.log.note(&self.stage.world, self.frame, &self.stage);
        self.follow_breaks();
        let resets = events_of(&self.stage.world, |kind| matches!(kind, EventKind::Reset { .. }));
        let places = resets.filter_map(|event| self.stage.place_of(event.body));
        self.reset = places.map(|place| place as u32).collect();
        self.clock.tick(begin, self.stage.world.config().dt / self.speed, ms);
        self.dirty = true;
        if let Some((left, reply_to)) = self.burst.take() {
            if left > 1 {
                self.burst = Some((left - 1, reply_to));
            } else {
                self.answers.push((reply_to, Ok(Reply::default())));
            }
        }
    }

    /// Updates the shown bodies after breaks, removals and annealing.
    fn follow_breaks(&mut self) {
        let others = |kind: &EventKind| {
            matches!(kind, EventKind::Annealed { .. } | EventKind::SetAside { .. })
        };
        let world = &self.stage.world;
        if world.breaks().is_empty() && events_of(world, others).next().is_none() {
            return;
        }
        self.grabs.follow(&mut self.stage);
        self.update_shown_scene();
    }

    /// Recovers from a panic in a step: returns to the initial state.
    fn recover(&mut self) {
        let text =
            "the engine failed in this step and the scene was reset; please report this scene";
        self.log.add(self.frame, None, "reset", true, text.to_owned());
        self.phases = PhaseClock::default();
        self.spent = [0.0; 6];
        self.playing = false;
        self.cancel_fast_steps();
        let Version { document, rests } = Version::of_initial_states(&self.stage);
        match Stage::open(document) {
            Ok(stage) => {
                self.stage = stage;
                self.stage.restore(&rests);
            }
            Err(refusal) => self.log.add(self.frame, None, "reset", true, refusal.message),
        }
        self.reset_counters();
        self.update_shown_scene();
    }

    fn milliseconds(&mut self, begin: Instant) -> Milliseconds {
        let step = 1e3 * begin.elapsed().as_secs_f64();
        let time = |phase: &Phase| 1e3 * self.phases.spent(*phase).as_secs_f64();
        let spent = PHASES.map(|phases| phases.iter().map(time).sum());
        let mut took = [0.0; 6];
        for (k, took) in took.iter_mut().enumerate() {
            *took = spent[k] - self.spent[k];
        }
        self.spent = spent;
        // Threads work in parallel, so their times are scaled to the elapsed time.
        let sum: f64 = took.iter().sum();
        let share = if sum > step { step / sum } else { 1.0 };
        let [contact, forces, degree, assembly, solve, update] = took.map(|took| share * took);
        Milliseconds { step, contact, forces, degree, assembly, solve, update, publish: 0.0 }
    }

    /// Returns to the initial state.
    pub(super) fn restart(&mut self) -> Result<(), Refusal> {
        self.stage.restart()?;
        self.reset_counters();
        if self.stage.update_shown() {
            self.update_shown_scene();
        }
        // Published even if steps follow at once, so that a recording contains the initial state.
        self.publish();
        Ok(())
    }

    /// Resets the counters for the first frame.
    pub(super) fn reset_counters(&mut self) {
        self.grabs.clear();
        self.frame = 0;
        self.step_budget = StepBudget::default();
        (self.report, self.reset) = (StepReport::default(), Vec::new());
        self.recorder.begin();
        self.clock.start();
        self.dirty = true;
    }

    /// Takes `steps` steps as fast as possible, then answers.
    pub(super) fn step_fast(&mut self, steps: u64, reply_to: ReplyTo) {
        self.playing = false;
        self.dirty = true;
        if let Some((_, before)) = self.burst.take() {
            let gone = Refusal::new("busy", "another command replaced this one");
            self.answers.push((before, Err(gone)));
        }
        if steps == 0 {
            self.answers.push((reply_to, Ok(Reply::default())));
        } else {
            self.burst = Some((steps, reply_to));
        }
    }

    /// Cancels the remaining steps of [`Self::step_fast`].
    pub(super) fn cancel_fast_steps(&mut self) {
        if let Some((_, reply_to)) = self.burst.take() {
            self.answers.push((reply_to, Err(Refusal::new("busy", "the command was interrupted"))));
        }
    }
}
