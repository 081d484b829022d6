//! Islands: built at the start of a step, stepped in parallel, dissolved at its end.

use crate::contact::OverlapRecovery;
use crate::sleep::SleepConfig;
use crate::world::attach::attached::Attached;
use crate::world::config::WorldConfig;
use crate::world::contact::tracker::PairContacts;
use crate::world::context::StepContext;
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::slot::BodySlot;
use crate::world::world::{PhaseListener, World};

use super::island::Island;
use super::islands::Islands;

/// The least number of nodes for two tasks: few enough to balance islands of different size over threads, and so many that a fork costs
/// a thousandth of the work.
const NODES_PER_TASK: usize = 512;

impl World {
    /// Makes the islands of the step and moves the bodies from their slots into them: bodies in contact or attached to each
    /// other are in one island. Contact with a kinematic body joins nothing, or all bodies on one floor would be one island.
    pub(crate) fn form_islands(&mut self) {
        let finished = self.finish_double_steps();
        self.group_bodies();
        self.make_islands();
        self.assign_contacts();
        for island in self.islands.current() {
            island.collect(&mut self.slots);
        }
        self.choose_double_steps(finished);
    }

    fn group_bodies(&mut self) {
        let Self { slots, islands, contacts, attachments, .. } = self;
        islands.groups.reset(slots.len());
        let kinematic = |body: u32| slots.get(body).is_none_or(|slot| slot.is_kinematic());
        for found in contacts.found() {
            let [a, b] = found.bodies;
            if !kinematic(a) && !kinematic(b) {
                islands.groups.join(a, b);
            }
        }
        for [a, b] in attachments.iter().filter_map(|(_, attached)| attached.bodies()) {
            islands.groups.join(a, b);
        }
    }

    /// Makes an island of every group that is awake and has not just finished a double step.
    ///
    /// All bodies of a group are awake, or none, so the first one stands for all: [`World::find_contacts`] has woken bodies in
    /// contact with awake ones, and attached bodies sleep and wake together (unless one is a frozen fragment). The same holds for
    /// finished double steps.
    fn make_islands(&mut self) {
        let Islands { groups, list, count, places, .. } = &mut self.islands;
        *count = 0;
        places.clear();
        places.resize(self.slots.len(), None);
        for bodies in groups.iter() {
            let idle = |slot: &BodySlot| slot.sleep.is_asleep() || slot.double_step.finished;
            if self.slots.get(bodies[0]).is_none_or(idle) {
                continue;
            }
            if list.len() == *count {
                list.push(Island::default());
            }
            list[*count].reset(bodies);
            for (place, body) in (0u32..).zip(bodies) {
                places[*body as usize] = Some((*count, place));
            }
            *count += 1;
        }
    }

    /// Adds every attachment and contact to its island. Attached bodies have no contact with each other.
    fn assign_contacts(&mut self) {
        let Self { slots, islands, contacts, attachments, environment, .. } = self;
        let Islands { list, places, .. } = islands;
        for (index, attached) in attachments.iter() {
            let Some(bodies) = Attached::bodies(attached) else { continue };
            if let [Some((island, a)), Some((_, b))] = bodies.map(|body| places[body as usize]) {
                list[island].add_tie(index, [a, b]);
            }
        }
        let in_contact =
            |found: &&PairContacts| !found.is_parting() && !attachments.join(found.bodies);
        for found in contacts.found().filter(in_contact) {
            let kinematic = |body: u32| slots.get(body).is_none_or(|slot| slot.is_kinematic());
            let own = found.bodies.map(|body| places[body as usize].filter(|_| !kinematic(body)));
            if let Some((island, _)) = own[0].or(own[1]) {
                let places = own.map(|place| place.map(|(_, place)| place));
                contacts.add_contacts_to(
                    found,
                    slots,
                    places,
                    &environment.frictions,
                    &mut list[island],
                );
            }
        }
    }

    /// Steps all islands.
    pub(crate) fn step_islands(&mut self, listener: &PhaseListener<'_>) {
        let recovery = OverlapRecovery::new(self.config.gravity, self.config.dt);
        let Self { config, environment, attachments, time, islands, limits, .. } = self;
        let (time, limits) = (*time, *limits);
        let (obstacles, frictions) = (environment.obstacles.list(), &environment.frictions);
        let step = (time / config.dt).round() as u64;
        let twice = WorldConfig { dt: 2.0 * config.dt, ..*config };
        let steps = step..=step;
        let once = StepContext {
            time,
            steps,
            config,
            limits,
            obstacles,
            frictions,
            recovery,
            attachments,
        };
        let double = StepContext { steps: step..=step + 1, config: &twice, ..once.clone() };
        step_all(islands.current(), &[once, double], listener);
    }

    /// Ends the step of all islands: recovers bodies whose state is not finite, puts islands to sleep that have been at rest for
    /// long enough, records the impulses and friction of contacts, moves islands after a double step back to its middle, and
    /// moves all bodies back into their slots.
    pub(crate) fn dissolve_islands(&mut self) {
        for index in 0..self.islands.count {
            self.islands.list[index].finish(self.time);
            if let Some(sleep) = self.config.sleep {
                self.let_sleep(index, &sleep);
            }
        }
        self.contacts.record(self.islands.current(), &self.slots);
        for island in self.islands.current() {
            island.start_double_step();
            island.release(&mut self.slots);
        }
        self.contacts.remember(&self.slots);
    }

    fn let_sleep(&mut self, index: usize, sleep: &SleepConfig) {
        let group = self.islands.next_sleep_group;
        if self.islands.list[index].settles(sleep, self.config.dt, group) {
            let wind = self.environment.wind_at(self.time + 0.5 * self.config.dt);
            self.islands.list[index].store_sleep_loads(wind);
            self.islands.take_sleep_group();
            let kind = EventKind::Slept;
            let bodies = self.islands.list[index].bodies().iter();
            let events = bodies.map(|body| Event { body: self.slots.handle(*body), kind });
            self.record.events.extend(events);
        }
    }
}

/// Steps islands, in parallel if they are large.
fn step_all(islands: &mut [Island], contexts: &[StepContext<'_>; 2], listener: &PhaseListener<'_>) {
    let size: usize = islands.iter().map(Island::size).sum();
    if islands.len() > 1 && size > NODES_PER_TASK && rayon::current_thread_index().is_some() {
        let (left, right) = islands.split_at_mut(islands.len() / 2);
        rayon::join(|| step_all(left, contexts, listener), || step_all(right, contexts, listener));
        return;
    }
    for island in islands {
        let context = &contexts[usize::from(island.double_step)];
        island.step(context, &mut |phase| listener(Some(phase)));
    }
    listener(None);
}
