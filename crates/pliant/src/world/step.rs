//! One step of a world.

use crate::contact::{ContactLevel, Easing};
use crate::force::Wind;
use crate::island::SleepConfig;
use crate::solver::{LinearReport, Phase};

use super::attachment::Attached;
use super::debris::Presence;
use super::entry::{BodyReport, Entry};
use super::island::Island;
use super::moment::Moment;
use super::skin_loads::Blowing;
use super::{Event, EventKind, Handle, PhaseListener, StepReport, World, WorldConfig};

impl World {
    pub(super) fn step_here(&mut self, listener: &PhaseListener<'_>) -> StepReport {
        listener(Some(Phase::Update));
        self.events.clear();
        self.push_by_fields();
        self.wake_the_driven();
        self.stop_the_disturbed();
        let time = self.time;
        let awake = self.entries.iter_mut().filter(|entry| !entry.rest.is_asleep());
        awake.for_each(|entry| entry.begin(time));
        listener(Some(Phase::Contact));
        self.find_contacts();
        listener(Some(Phase::Update));
        self.find_loads();
        self.form_islands();
        listener(None);
        self.step_islands(listener);
        listener(Some(Phase::Update));
        self.time += self.config.dt;
        self.dissolve_islands();
        listener(Some(Phase::Contact));
        let safe = self.secure();
        listener(Some(Phase::Fracture));
        self.break_up();
        self.clear_debris();
        listener(Some(Phase::Update));
        self.anneal_the_rested();
        let report = StepReport { safe, ..self.sum_up() };
        listener(None);
        report
    }

    /// Finds what touches, and wakes what is touched.
    fn find_contacts(&mut self) {
        if !self.has_contact() {
            return self.touching.find_none();
        }
        // How fine all skins are counts from the first step on.
        self.entries.for_each(Entry::meet_bodies);
        let easing = Easing::new(self.config.gravity, self.config.dt);
        let mut touching = std::mem::take(&mut self.touching);
        let reach = if self.effort.half_rate { 2.0 } else { 1.0 } * self.config.dt;
        loop {
            let thickness = self.thickness();
            touching.find(&mut self.entries, (self.config.dt, reach), thickness, easing);
            let before = self.events.len();
            for body in touching.found().flat_map(|found| found.bodies) {
                self.wake_entry(body);
            }
            // Who wakes may touch others that sleep on.
            let stopped = self.stop_the_touched(&touching);
            if self.events.len() == before && !stopped {
                break;
            }
        }
        for (pair, depth) in touching.begun() {
            // Pieces of one body have come apart where they are, and nobody has put them there.
            let [root, other] = pair.map(|body| self.entries.get(body).map(|entry| entry.root));
            if root != other && !attached(&self.attachments, *pair) {
                let [body, other] = pair.map(|index| Handle { index, generation: 0 });
                let kind = EventKind::Overlapped { other, depth: *depth };
                self.events.push(Event { body, kind });
            }
        }
        self.touching = touching;
    }

    /// Whether anything can touch: there are two bodies, or one that meets itself.
    pub(super) fn has_contact(&self) -> bool {
        let themselves = || self.entries.iter().any(|entry| entry.touch.with_itself);
        self.config.contact != ContactLevel::Off && (self.entries.len() > 1 || themselves())
    }

    /// Wakes bodies that something prescribed moves in this step, or that something else than before acts on.
    fn wake_the_driven(&mut self) {
        let (from, to) = (self.time, self.time + self.config.dt);
        let changing = self.wind.is_some_and(|wind| !wind.is_steady());
        let changing = std::mem::take(&mut self.wind_changed) || changing;
        for index in 0..self.entries.len() as u32 {
            let wind = blowing(&self.wind, &self.config, self.time);
            let Some(entry) = self.entries.get_mut(index) else { continue };
            if entry.rest.is_asleep()
                && entry.presence == Presence::Here
                && (entry.is_driven(&self.obstacles, from, to)
                    || entry.is_disturbed(wind, changing, &self.config))
            {
                self.wake_entry(index);
            }
        }
    }

    /// Finds what acts on the skins of all that are awake.
    fn find_loads(&mut self) {
        let wind = blowing(&self.wind, &self.config, self.time);
        self.entries.for_each(|entry| {
            if !(entry.rest.is_asleep() || entry.is_leaping()) {
                entry.find_loads(wind);
            }
        });
    }

    /// Wakes a body and all that fell asleep with it, and tells it.
    pub(super) fn wake_entry(&mut self, index: u32) {
        let Some(group) = self.entries.get(index).and_then(|entry| entry.rest.group()) else {
            return;
        };
        for (index, entry) in (0u32..).zip(self.entries.iter_mut()) {
            if entry.rest.group() == Some(group) && entry.presence == Presence::Here {
                entry.rest.wake();
                entry.begin(self.time);
                let body = Handle { index, generation: 0 };
                self.events.push(Event { body, kind: EventKind::Woke });
            }
        }
    }

    /// Groups the bodies that touch. What moves as prescribed joins nobody.
    fn form_islands(&mut self) {
        let landed = self.land();
        let Self { groups, entries, islands, touching, places, attachments, .. } = self;
        groups.reset(entries.len());
        let kinematic = |body: u32| entries.get(body).is_none_or(|entry| entry.is_kinematic());
        for found in touching.found() {
            let [a, b] = found.bodies;
            if !kinematic(a) && !kinematic(b) {
                groups.join(a, b);
            }
        }
        for [a, b] in attachments.iter().flatten().filter_map(Attached::bodies) {
            groups.join(a, b);
        }
        let mut count = 0;
        places.clear();
        places.resize(entries.len(), None);
        for bodies in groups.iter() {
            let idle = |entry: &Entry| entry.rest.is_asleep() || entry.leap.over;
            if entries.get(bodies[0]).is_some_and(idle) {
                continue;
            }
            if islands.len() == count {
                islands.push(Island::default());
            }
            islands[count].found(bodies);
            for (place, body) in (0u32..).zip(bodies) {
                places[*body as usize] = Some((count, place));
            }
            count += 1;
        }
        self.island_count = count;
        self.hand_over();
        for island in &mut self.islands[..count] {
            island.collect(&mut self.entries);
        }
        self.choose_leaps(landed);
    }

    /// Gives every island what is attached and what touches in it.
    fn hand_over(&mut self) {
        let Self { entries, islands, touching, places, attachments, frictions, .. } = self;
        for (index, attached) in (0u32..).zip(attachments.iter()) {
            let Some(bodies) = attached.as_ref().and_then(Attached::bodies) else { continue };
            if let [Some((island, a)), Some((_, b))] = bodies.map(|body| places[body as usize]) {
                islands[island].add_tie(index, [a, b]);
            }
        }
        let are_attached = |pair: [u32; 2]| attached(attachments, pair);
        for found in touching.found().filter(|found| !are_attached(found.bodies)) {
            let kinematic = |body: u32| entries.get(body).is_none_or(|entry| entry.is_kinematic());
            let own = found.bodies.map(|body| places[body as usize].filter(|_| !kinematic(body)));
            if let Some((island, _)) = own[0].or(own[1]) {
                let places = own.map(|place| place.map(|(_, place)| place));
                touching.hand_over(found, entries, places, frictions, &mut islands[island]);
            }
        }
    }

    fn step_islands(&mut self, listener: &PhaseListener<'_>) {
        let easing = Easing::new(self.config.gravity, self.config.dt);
        let Self { config, obstacles, attachments, frictions, time, islands, .. } = self;
        let (effort, island_count, time) = (self.effort, self.island_count, *time);
        let step = (time / config.dt).round() as u64;
        let twice = WorldConfig { dt: 2.0 * config.dt, ..*config };
        let steps = step..=step;
        let once =
            Moment { time, steps, config, effort, obstacles, frictions, easing, attachments };
        let leap = Moment { steps: step..=step + 1, config: &twice, ..once.clone() };
        let moments = [once, leap];
        step_all(&mut islands[..island_count], &moments, listener);
    }

    /// Gives all bodies back, and puts to sleep the islands that have lain still for long.
    fn dissolve_islands(&mut self) {
        for index in 0..self.island_count {
            self.islands[index].finish(self.time);
            if let Some(sleep) = self.config.sleep {
                self.let_sleep(index, &sleep);
            }
        }
        self.touching.note(&self.islands[..self.island_count]);
        for island in &mut self.islands[..self.island_count] {
            island.stop_halfway();
            island.release(&mut self.entries);
        }
        self.touching.remember(&self.entries);
    }

    fn let_sleep(&mut self, index: usize, sleep: &SleepConfig) {
        if self.islands[index].settles(sleep, self.sleep_count) {
            let wind = blowing(&self.wind, &self.config, self.time);
            self.islands[index].note_calm(wind);
            self.sleep_count = self.sleep_count.wrapping_add(1);
            let kind = EventKind::Slept;
            let bodies = self.islands[index].bodies().iter();
            let handle = |index: &u32| Handle { index: *index, generation: 0 };
            self.events.extend(bodies.map(|body| Event { body: handle(body), kind }));
        }
    }

    /// Tells who began to touch whom, and who no longer does.
    fn note_meetings(&mut self) {
        let (began, ended) = self.touching.changes();
        for meeting in began {
            let [body, other] = meeting.bodies();
            let kind = EventKind::Touched { other, strongest: meeting.strongest };
            self.events.push(Event { body, kind });
        }
        for meeting in ended {
            let [body, other] = meeting.bodies();
            self.events.push(Event { body, kind: EventKind::Parted { other } });
        }
    }

    /// Notes what happened.
    fn sum_up(&mut self) -> StepReport {
        let mut report = StepReport::default();
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get(index) else { continue };
            report.count_leap(entry);
            let (body, (substeps, _)) = (entry.report, entry.substeps(&self.config));
            report.substeps = report.substeps.max(substeps);
            report.resets += usize::from(body.reset);
            report.linear.add_body(&body.linear);
            report.sweeps.add_body(&body.sweeps);
            report.flow.points += body.flow.points;
            self.note_events(Handle { index, generation: 0 }, &body);
            self.note_overlaps(index);
        }
        self.note_meetings();
        report.broken = self.breaks.len() as u32;
        report.given_up.solves = report.linear.cut;
        report.given_up.breaks = self.breaks_left;
        self.resets += report.resets;
        self.unconverged += report.linear.unconverged as usize;
        report
    }

    /// Tells which obstacles a body was put into.
    fn note_overlaps(&mut self, index: u32) {
        let Self { entries, events, .. } = self;
        let contact = entries.get_mut(index).and_then(|entry| entry.contact.as_mut());
        let Some(contact) = contact.filter(|contact| !contact.overlaps().is_empty()) else {
            return;
        };
        let body = Handle { index, generation: 0 };
        events.extend(contact.overlaps().iter().map(|overlap| {
            let (obstacle, depth) = (overlap.obstacle as usize, overlap.depth);
            Event { body, kind: EventKind::InObstacle { obstacle, depth } }
        }));
        contact.clear_overlaps();
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

/// Nodes of islands that one task steps, if there are several: few enough for threads to share out evenly what differs in
/// size, and a fork costs a thousandth of the work.
const NODES_PER_TASK: usize = 512;

/// Steps all islands, side by side among threads that share the work.
fn step_all(islands: &mut [Island], moments: &[Moment<'_>; 2], listener: &PhaseListener<'_>) {
    let size: usize = islands.iter().map(Island::size).sum();
    if islands.len() > 1 && size > NODES_PER_TASK && rayon::current_thread_index().is_some() {
        let (left, right) = islands.split_at_mut(islands.len() / 2);
        rayon::join(|| step_all(left, moments, listener), || step_all(right, moments, listener));
        return;
    }
    for island in islands {
        island.step(&moments[usize::from(island.leaps)], &mut |phase| listener(Some(phase)));
    }
    listener(None);
}

/// The wind in the middle of a step that begins at `time`.
fn blowing<'a>(wind: &'a Option<Wind>, config: &WorldConfig, time: f64) -> Blowing<'a> {
    wind.as_ref().map(|wind| (wind, time + 0.5 * config.dt))
}

/// Whether two bodies are attached to each other.
pub(super) fn attached(attachments: &[Option<Attached>], [a, b]: [u32; 2]) -> bool {
    let mut pairs = attachments.iter().flatten().filter_map(Attached::bodies);
    pairs.any(|pair| pair == [a, b] || pair == [b, a])
}
