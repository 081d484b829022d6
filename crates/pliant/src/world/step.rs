//! One step of a world: its phases in order.
//!
//! ```text
//! begin_step              clear events; explosions and force fields change v; wake bodies; cancel disturbed double steps;
//!                         store the state of each awake body, or recover it if it is not finite
//! find_contacts           contacts among bodies, not with obstacles; wakes bodies in contact; repeated until no body
//!                         wakes and no double step is cancelled
//! find_loads              tractions, forces and wind on skins, once per step
//! form_islands            finish double steps; group bodies; make islands; assign attachments and contacts to them;
//!                         move bodies from their slots into the islands; choose the islands that take a double step
//! step_islands            for each island, in parallel:
//!                           substeps { pulls, skin loads, contact with obstacles → solve }
//!                           → plastic flow → search for breaks
//! time += dt
//! dissolve_islands        recover bodies that are not finite; put islands at rest to sleep; record impulses and friction;
//!                         start double steps; move bodies back into their slots
//! resolve_intersections   continuous contact, only at the level `safe`
//! break_up                release overloaded attachments; replace broken bodies by their fragments
//! clear_debris            fade or freeze fragments beyond the limit
//! anneal_rested           anneal bodies that no longer flow plastically
//! end_step                sum up reports; record events
//! ```

use crate::solver::{LinearReport, Phase};

use super::report::event::{Event, EventKind};
use super::report::report::StepReport;
use super::slot::handle::BodyHandle;
use super::slot::slot::{BodyReport, BodySlot};
use super::world::{PhaseListener, World};

/// The least number of cells of a body that is worked on in parallel.
const PARALLEL_CELLS: usize = 2048;

/// The least number of nodes of all bodies for a step in parallel.
const PARALLEL_NODES: usize = 4096;

/// The same for worlds with contact, whose search and joint solve are more work.
const PARALLEL_CONTACT_NODES: usize = 1024;

impl World {
    /// Advances all bodies by `dt`.
    ///
    /// A body whose state is not finite returns to its last finite state, at rest (to the shape of its model, if that state fails
    /// again), and is counted; it has no effect on other bodies.
    pub fn step(&mut self) -> StepReport {
        self.step_with(&|_| {})
    }

    /// Advances all bodies by `dt`, and reports each phase as it begins, for a caller with a clock.
    ///
    /// Islands go through their phases in parallel, on the threads of rayon's pool, so that a phase
    /// may begin many times in a step; `None` means that the thread is done for now.
    pub fn step_with(&mut self, listener: &(dyn Fn(Option<Phase>) + Sync + '_)) -> StepReport {
        let nodes: usize = self.slots.iter().map(|slot| slot.body.state.x.len()).sum();
        let large = |slot: &BodySlot| slot.body.model().mesh().cell_count() > PARALLEL_CELLS;
        let least = if self.has_contact() { PARALLEL_CONTACT_NODES } else { PARALLEL_NODES };
        let parallel = nodes > least || self.slots.iter().any(large);
        if rayon::current_thread_index().is_none() && parallel {
            // Inside of the pool every fork is cheap.
            rayon::scope(|_| self.step_here(listener))
        } else {
            self.step_here(listener)
        }
    }

    /// The phases of a step, on this thread and those of its pool.
    fn step_here(&mut self, listener: &PhaseListener<'_>) -> StepReport {
        listener(Some(Phase::Update));
        self.begin_step();
        listener(Some(Phase::Contact));
        self.find_contacts();
        listener(Some(Phase::Update));
        self.find_loads();
        self.form_islands();
        listener(None);
        self.step_islands(listener);
        listener(Some(Phase::Update));
        // From here on, `time` is the end of the step.
        self.time += self.config.dt;
        self.dissolve_islands();
        listener(Some(Phase::Contact));
        let safe = self.resolve_intersections();
        listener(Some(Phase::Fracture));
        self.break_up();
        self.clear_debris();
        listener(Some(Phase::Update));
        self.anneal_rested();
        let report = StepReport { safe, ..self.end_step() };
        listener(None);
        report
    }

    /// Clears the events, also those since the last step. Then explosions and force fields change velocities, bodies that are
    /// driven or disturbed wake, and disturbed double steps are cancelled. At last every awake body stores its state for the
    /// step, or is recovered if that is not finite.
    fn begin_step(&mut self) {
        self.record.events.clear();
        self.apply_fields();
        self.wake_driven_and_disturbed();
        self.cancel_disturbed_double_steps();
        let time = self.time;
        let awake = self.slots.iter_mut().filter(|slot| !slot.sleep.is_asleep());
        awake.for_each(|slot| slot.begin(time));
    }

    /// Sums up the reports of all bodies, and records their events.
    fn end_step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        for index in 0..self.slots.len() as u32 {
            let Some(slot) = self.slots.get(index) else { continue };
            report.count_half_rate(slot);
            let (body, (substeps, _)) = (slot.report, slot.stepping.substeps(&self.config));
            report.substeps = report.substeps.max(substeps);
            report.resets += usize::from(body.reset);
            report.linear.add_body(&body.linear);
            report.sweeps.add_body(&body.sweeps);
            report.flow.points += body.flow.points;
            self.record_problems(self.slots.handle(index), &body);
            self.record_obstacle_overlaps(index);
            self.record_obstacle_touches(index);
        }
        self.record_contact_changes();
        report.contacts = self.contacts.count();
        report.broken = self.record.breaks.len() as u32;
        report.compromises.solves = report.linear.cut;
        report.compromises.breaks = self.record.breaks_put_off;
        self.record.resets += report.resets;
        self.record.unconverged += report.linear.unconverged as usize;
        self.record.fallbacks += report.linear.fallbacks as usize;
        report
    }

    fn record_problems(&mut self, body: BodyHandle, report: &BodyReport) {
        if report.reset {
            let slot = self.slots.named(body).filter(|slot| !slot.body.model().is_rigid());
            let stepper = slot.map(|slot| slot.stepping.method.stepper);
            self.record.events.push(Event { body, kind: EventKind::Reset { stepper } });
        }
        let LinearReport { residual, iterations, unconverged, fallbacks, .. } = report.linear;
        if unconverged > 0 {
            let kind = EventKind::NotConverged { residual, iterations };
            self.record.events.push(Event { body, kind });
        }
        if fallbacks > 0 {
            self.record.events.push(Event { body, kind: EventKind::Damped { steps: fallbacks } });
        }
    }
}

impl StepReport {
    /// Counts a body that takes or ends a double step.
    fn count_half_rate(&mut self, slot: &BodySlot) {
        let unknowns = slot.body.unknowns().count();
        let (finished, doubled) = (slot.double_step.finished, slot.double_step.is_under_way());
        self.compromises.finished_double_steps += u32::from(finished);
        self.finished_unknowns += if finished { unknowns } else { 0 };
        self.doubled_unknowns += if doubled { unknowns } else { 0 };
    }
}
