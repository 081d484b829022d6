//! Steps of the world, as the clock or a page wants them.

use std::time::Instant;

use pliant::solver::Phase;
use pliant::world::{Event, EventKind, StepReport, World};

use super::frame::Milliseconds;
use super::keeper::Keeper;
use super::order::{Asker, Refusal};
use super::phase_clock::PhaseClock;
use super::stage::Stage;
use super::thread::Engine;
use super::version::Version;
use crate::protocol::message::Reply;

/// Events of the last step of some kind.
fn events_of(world: &World, kind: impl Fn(&EventKind) -> bool) -> impl Iterator<Item = &Event> {
    world.events().iter().filter(move |event| kind(&event.kind))
}

/// The phases that share a place, in the order of the milliseconds.
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
        self.hands.lead(&mut self.stage);
        let own = self.stage.world.fields().len();
        for field in self.hands.fields(&self.stage) {
            // Its numbers were checked; one that is not sound does nothing.
            let _ = self.stage.world.add_field(field);
        }
        self.keeper.grant(self.stage.scene.budget, &mut self.stage.world);
        let begin = Instant::now();
        let (world, phases) = (&mut self.stage.world, &self.phases);
        let stepped = std::panic::AssertUnwindSafe(|| world.step_with(&|phase| phases.tell(phase)));
        match std::panic::catch_unwind(stepped) {
            Ok(report) => self.report = report,
            Err(_) => return self.recover(),
        }
        self.keeper.note(begin.elapsed(), &self.report);
        while self.stage.world.fields().len() > own {
            self.stage.world.remove_field(own);
        }
        let ms = self.milliseconds(begin);
        self.frame += 1;
        self.log.note(self.stage.world.events(), self.frame, &self.stage);
        self.follow_breaks();
        let resets = events_of(&self.stage.world, |kind| *kind == EventKind::Reset);
        let places = resets.filter_map(|event| self.stage.place_of(event.body));
        self.reset = places.map(|place| place as u32).collect();
        self.clock.tick(begin, self.stage.world.config().dt / self.speed, ms);
        self.dirty = true;
        if let Some((left, asker)) = self.burst.take() {
            if left > 1 {
                self.burst = Some((left - 1, asker));
            } else {
                self.answers.push((asker, Ok(Reply::default())));
            }
        }
    }

    /// Shows what bodies have become, if some have come apart, have faded or rest in another shape.
    fn follow_breaks(&mut self) {
        let others = |kind: &EventKind| {
            matches!(kind, EventKind::Annealed { .. } | EventKind::SetAside { .. })
        };
        let world = &self.stage.world;
        if world.breaks().is_empty() && events_of(world, others).next().is_none() {
            return;
        }
        self.hands.follow(&mut self.stage);
        self.recast();
    }

    /// A step has failed in a way that should not be: back to the beginning.
    fn recover(&mut self) {
        let text = "the engine failed in this step and the scene was set back to its beginning; please report the scene";
        self.log.add(self.frame, None, "reset", true, text.to_owned());
        self.phases = PhaseClock::default();
        self.spent = [0.0; 6];
        self.playing = false;
        self.calm();
        let Version { document, rests } = Version::of_beginnings(&self.stage);
        match Stage::open(document) {
            Ok(stage) => {
                self.stage = stage;
                self.stage.restore(&rests);
            }
            Err(refusal) => self.log.add(self.frame, None, "reset", true, refusal.message),
        }
        self.begin_anew();
        self.recast();
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
        // Threads work side by side: their shares of the time that passed are told.
        let sum: f64 = took.iter().sum();
        let share = if sum > step { step / sum } else { 1.0 };
        let [contact, forces, degree, assembly, solve, update] = took.map(|took| share * took);
        Milliseconds { step, contact, forces, degree, assembly, solve, update, publish: 0.0 }
    }

    /// Back to the beginning.
    pub(super) fn restart(&mut self) -> Result<(), Refusal> {
        self.stage.restart()?;
        self.begin_anew();
        if self.stage.look_again() {
            self.recast();
        }
        // Also if steps follow at once: a recording has the beginning.
        self.publish();
        Ok(())
    }

    /// The first frame of a motion.
    pub(super) fn begin_anew(&mut self) {
        self.hands.clear();
        self.frame = 0;
        self.keeper = Keeper::default();
        (self.report, self.reset) = (StepReport::default(), Vec::new());
        self.recorder.begin();
        self.clock.start();
        self.dirty = true;
    }

    /// Takes so many steps as fast as they go, and answers then.
    pub(super) fn hurry(&mut self, steps: u64, asker: Asker) {
        self.playing = false;
        self.dirty = true;
        if let Some((_, before)) = self.burst.take() {
            let gone = Refusal::new("busy", "another command took its place");
            self.answers.push((before, Err(gone)));
        }
        if steps == 0 {
            self.answers.push((asker, Ok(Reply::default())));
        } else {
            self.burst = Some((steps, asker));
        }
    }

    /// Ends what was to be done as fast as it goes.
    pub(super) fn calm(&mut self) {
        if let Some((_, asker)) = self.burst.take() {
            self.answers.push((asker, Err(Refusal::new("busy", "it was interrupted"))));
        }
    }
}
