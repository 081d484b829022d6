//! One step of a world.

use crate::island::SleepConfig;
use crate::solver::{LinearReport, Phase};

use super::entry::BodyReport;
use super::island::Island;
use super::moment::Moment;
use super::world::MANY_NODES;
use super::{Event, EventKind, Handle, PhaseListener, StepReport, World};

impl World {
    pub(super) fn step_here(&mut self, listener: &PhaseListener<'_>) -> StepReport {
        listener(Some(Phase::Update));
        self.events.clear();
        self.wake_the_driven();
        let time = self.time;
        let awake = self.entries.iter_mut().filter(|entry| !entry.rest.is_asleep());
        awake.for_each(|entry| entry.begin(time));
        self.form_islands();
        listener(None);
        self.step_islands(listener);
        listener(Some(Phase::Update));
        self.time += self.config.dt;
        self.dissolve_islands();
        let report = self.sum_up();
        listener(None);
        report
    }

    /// Wakes bodies that something prescribed moves in this step.
    fn wake_the_driven(&mut self) {
        let (from, to) = (self.time, self.time + self.config.dt);
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get_mut(index) else { continue };
            if entry.rest.is_asleep() && entry.is_driven(&self.obstacles, from, to) {
                self.wake_entry(index);
            }
        }
    }

    /// Wakes a body, and tells it.
    pub(super) fn wake_entry(&mut self, index: u32) {
        if let Some(entry) = self.entries.get_mut(index)
            && entry.rest.wake()
        {
            let body = Handle { index, generation: 0 };
            self.events.push(Event { body, kind: EventKind::Woke });
        }
    }

    /// Groups the bodies that touch.
    fn form_islands(&mut self) {
        let Self { groups, entries, islands, .. } = self;
        groups.reset(entries.len());
        let mut count = 0;
        for bodies in groups.iter() {
            if entries.get(bodies[0]).is_some_and(|entry| entry.rest.is_asleep()) {
                continue;
            }
            if islands.len() == count {
                islands.push(Island::default());
            }
            islands[count].collect(bodies, entries);
            count += 1;
        }
        self.island_count = count;
    }

    fn step_islands(&mut self, listener: &PhaseListener<'_>) {
        let Self { config, obstacles, time, islands, island_count, .. } = self;
        let moment = Moment { time: *time, config, obstacles };
        step_all(&mut islands[..*island_count], &moment, listener);
    }

    /// Gives all bodies back, and puts to sleep the islands that have lain still for long.
    fn dissolve_islands(&mut self) {
        for index in 0..self.island_count {
            self.islands[index].finish(self.time);
            if let Some(sleep) = self.config.sleep {
                self.let_sleep(index, &sleep);
            }
            self.islands[index].release(&mut self.entries);
        }
    }

    fn let_sleep(&mut self, index: usize, sleep: &SleepConfig) {
        if self.islands[index].settles(sleep) {
            let kind = EventKind::Slept;
            let bodies = self.islands[index].bodies().iter();
            let handle = |index: &u32| Handle { index: *index, generation: 0 };
            self.events.extend(bodies.map(|body| Event { body: handle(body), kind }));
        }
    }

    /// Notes what happened.
    fn sum_up(&mut self) -> StepReport {
        let mut report = StepReport::default();
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get(index) else { continue };
            let (body, (substeps, _)) = (entry.report, entry.substeps(&self.config));
            report.substeps = report.substeps.max(substeps);
            report.resets += usize::from(body.reset);
            report.linear.add_body(&body.linear);
            report.sweeps.add_body(&body.sweeps);
            self.note_events(Handle { index, generation: 0 }, &body);
        }
        self.resets += report.resets;
        self.unconverged += report.linear.unconverged as usize;
        report
    }

    fn note_events(&mut self, body: Handle, report: &BodyReport) {
        if report.reset {
            self.events.push(Event { body, kind: EventKind::Reset });
        }
        let LinearReport { residual, iterations, unconverged, .. } = report.linear;
        if unconverged > 0 {
            let kind = EventKind::NotConverged { residual, iterations };
            self.events.push(Event { body, kind });
        }
    }
}

/// Steps all islands, side by side if they are large.
fn step_all(islands: &mut [Island], moment: &Moment<'_>, listener: &PhaseListener<'_>) {
    let size: usize = islands.iter().map(Island::size).sum();
    if islands.len() > 1 && size > MANY_NODES {
        let (left, right) = islands.split_at_mut(islands.len() / 2);
        rayon::join(|| step_all(left, moment, listener), || step_all(right, moment, listener));
        return;
    }
    for island in islands {
        island.step(moment, &mut |phase| listener(Some(phase)));
    }
    listener(None);
}
