//! What touches between the bodies of a world.

use glam::DVec3;
use rayon::prelude::*;

use crate::contact::{
    BodyPairs, Contact, Easing, Finder, FrictionTable, Holding, Touch, VertexLaw,
};
use crate::geometry::Aabb;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::entries::Entries;
use super::entry::Entry;
use super::island::Island;
use super::meeting::Meeting;

/// Contacts between bodies: found in every step, and what friction remembers from one to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Touching {
    bounds: Vec<Aabb>,
    pairs: BodyPairs,
    /// Room for the contacts of two bodies; those of a step are the first ones.
    found: Vec<Found>,
    count: usize,
    /// How far apart skins are kept, in m.
    thickness: f64,
    /// What friction remembers, by bodies and points, in order.
    memory: Vec<(Key, Holding)>,
    fresh: Vec<(Key, Holding)>,
    /// How overlaps are let out.
    easing: Easing,
    /// Pairs that were found to begin in each other in this step.
    begun: Vec<([u32; 2], f64)>,
    /// Bodies and impulse of every touch of the last step.
    impulses: Vec<([u32; 2], DVec3)>,
    /// Who pushed whom in the last step, and in the one before.
    meetings: Vec<Meeting>,
    before: Vec<Meeting>,
}

/// Two bodies and the points where they touch: the same from step to step.
pub(super) type Key = [u32; 6];

/// Contacts of two bodies, or of one with itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) bodies: [u32; 2],
    pub(super) contacts: Vec<Contact>,
    finder: Finder,
}

/// Stiffness of contact with a piece, over that of whole bodies: rubble is not packed tightly, and heaps of it are solved in a third of
/// the iterations.
const RUBBLE: f64 = 0.1;

/// Pairs of bodies from which they are shared out over threads.
const MANY_PAIRS: usize = 16;

impl Touching {
    /// Finds all contacts of a step of `h`, or as far ahead as `reach`, in s. Bodies that sleep or leap are found by those that do not.
    pub(super) fn find(
        &mut self,
        entries: &mut Entries,
        (h, reach): (f64, f64),
        thickness: f64,
        easing: Easing,
    ) {
        (self.thickness, self.easing) = (thickness, easing);
        follow(entries, (h, reach), thickness);
        self.bounds.clear();
        self.bounds.extend(entries.iter().map(|entry| entry.bounds()));
        self.count = 0;
        self.list_pairs(entries, thickness);
        let Self { found, count, memory, .. } = self;
        let look = |found: &mut Found| found.look(entries, thickness, memory);
        let found = &mut found[..*count];
        if found.len() < MANY_PAIRS || rayon::current_thread_index().is_none() {
            found.iter_mut().for_each(look);
        } else {
            found.par_iter_mut().for_each(look);
        }
        self.note_overlaps(entries);
    }

    /// Nothing touches.
    pub(super) fn find_none(&mut self) {
        self.count = 0;
        self.begun.clear();
    }

    /// Notes pairs that have just been put into each other.
    fn note_overlaps(&mut self, entries: &Entries) {
        let Self { found, count, memory, begun, thickness, .. } = self;
        begun.clear();
        for found in found[..*count].iter().filter(|found| !found.contacts.is_empty()) {
            let [Some(first), Some(second)] = found.bodies.map(|body| entries.get(body)) else {
                continue;
            };
            let depth = found.deepest(*thickness);
            let due = Easing::is_due(depth, first.spacing().min(second.spacing()));
            if due && (first.fresh || second.fresh) && !found.is_remembered(memory) {
                begun.push((found.bodies, depth));
            }
        }
    }

    /// Pairs of bodies that were found to begin in each other in this step, and how deep, in m.
    pub(super) fn begun(&self) -> &[([u32; 2], f64)] {
        &self.begun
    }

    /// Lists the pairs of bodies that may touch, and the bodies that may touch themselves.
    fn list_pairs(&mut self, entries: &Entries, thickness: f64) {
        let Self { bounds, pairs, found, count, .. } = self;
        bounds.iter_mut().for_each(|bounds| *bounds = bounds.inflated(0.5 * thickness));
        let meet = |[a, b]: [u32; 2]| {
            let (Some(a), Some(b)) = (entries.get(a), entries.get(b)) else { return false };
            let still = |entry: &Entry| entry.rest.is_asleep() || entry.is_leaping();
            let carried = |own: &Entry, other: &Entry| own.is_leaping() && other.is_kinematic();
            let stirred = !(still(a) && still(b) || carried(a, b) || carried(b, a));
            stirred && a.touch.allows(&b.touch) && !(a.is_kinematic() && b.is_kinematic())
        };
        let own = (0u32..).zip(entries.iter());
        let own = own.filter(|(_, entry)| {
            entry.touch.with_itself && !entry.rest.is_asleep() && !entry.is_leaping()
        });
        let near = pairs.find(bounds).iter().copied().filter(|pair| meet(*pair));
        for bodies in near.chain(own.map(|(body, _)| [body, body])) {
            if found.len() == *count {
                found.push(Found::default());
            }
            found[*count].bodies = bodies;
            *count += 1;
        }
    }

    /// Contacts of all pairs of bodies that have any.
    pub(super) fn found(&self) -> impl Iterator<Item = &Found> {
        self.found[..self.count].iter().filter(|found| !found.contacts.is_empty())
    }

    /// Adds the contacts of two bodies to the touches of their island; `places` are theirs among its
    /// members, none for a body that moves as prescribed.
    pub(super) fn hand_over(
        &self,
        found: &Found,
        entries: &Entries,
        places: [Option<u32>; 2],
        frictions: &FrictionTable,
        island: &mut Island,
    ) {
        for contact in &found.contacts {
            let key = found.key(contact);
            // What moves as prescribed comes second.
            let turned = places[0].is_none();
            let contact = if turned { contact.turned() } else { *contact };
            let order = if turned { [1, 0] } else { [0, 1] };
            let [first, second] = order.map(|side| entries.get(found.bodies[side]));
            let (Some(first), Some(second)) = (first, second) else { continue };
            let Some(member) = places[order[0]] else { continue };
            let Some(touch) = touch(&contact, first, second, frictions) else { continue };
            let carried = places[order[1]].is_none().then(|| second.carried(&contact.second));
            let members = [member, places[order[1]].unwrap_or(member)];
            let (holding, thickness) = (remembered(&self.memory, &key), self.thickness);
            let (depth, put) = (-contact.gap, first.fresh || second.fresh);
            let before = holding.map(|holding| holding.eased);
            let (eased, easing) = match crumbling([first, second], &touch.law) {
                Some(most) => (Easing::crumbled(before, depth, most), Easing::default()),
                None => {
                    let new = || Easing::begin(depth, touch.law.spacing, put);
                    (before.unwrap_or_else(new), self.easing)
                }
            };
            let touch = Touch { members, thickness, eased, easing, holding, carried, ..touch };
            let weights = carried.is_none().then(|| second.weights(&contact.second));
            let other = weights.into_iter().flatten();
            island.add_touch(key, touch, first.weights(&contact.first), other);
        }
    }

    /// Hears what friction remembers of the touches of a step, and how hard they were.
    pub(super) fn note(&mut self, islands: &[Island]) {
        self.fresh.clear();
        self.fresh.extend(islands.iter().flat_map(Island::holdings));
        self.impulses.clear();
        self.impulses.extend(islands.iter().flat_map(Island::impulses));
        self.impulses.sort_unstable_by_key(|(bodies, _)| *bodies);
        std::mem::swap(&mut self.meetings, &mut self.before);
        self.meetings.clear();
        for (bodies, impulse) in &self.impulses {
            match self.meetings.last_mut() {
                Some(last) if last.places == *bodies => last.add(*impulse),
                _ => self.meetings.push(Meeting::new(*bodies, *impulse)),
            }
        }
    }

    /// Pairs of bodies that pushed each other in the last step.
    pub(super) fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// Meetings that began in the last step, and those of the step before that ended.
    pub(super) fn changes(
        &self,
    ) -> (impl Iterator<Item = &Meeting>, impl Iterator<Item = &Meeting>) {
        let lacks = |list: &[Meeting], meeting: &Meeting| {
            list.binary_search_by_key(&meeting.places, |known| known.places).is_err()
        };
        let began = self.meetings.iter().filter(move |meeting| lacks(&self.before, meeting));
        let ended = self.before.iter().filter(move |meeting| lacks(&self.meetings, meeting));
        (began, ended)
    }

    /// Forgets all that touched a body: another is in its place.
    pub(super) fn forget(&mut self, body: u32) {
        self.memory.retain(|([a, b, ..], _)| *a != body && *b != body);
        let own = self.found.iter_mut().filter(|found| found.bodies.contains(&body));
        own.for_each(|found| found.contacts.clear());
    }

    /// Forgets what it remembered before, but for bodies that sleep or were not stepped.
    pub(super) fn remember(&mut self, entries: &Entries) {
        let Self { memory, fresh, meetings, before, .. } = self;
        let is = |body: u32, what: fn(&Entry) -> bool| entries.get(body).is_some_and(what);
        let sleeps = |body: u32| is(body, |entry| entry.rest.is_asleep());
        let landed = |body: u32| is(body, |entry| entry.leap.over);
        let went_on = |a: u32, b: u32| {
            (landed(a) || landed(b)) && is(a, Entry::was_idle) && is(b, Entry::was_idle)
        };
        let stays = |a: u32, b: u32| sleeps(a) && sleeps(b) || went_on(a, b);
        fresh.extend(memory.drain(..).filter(|([a, b, ..], _)| stays(*a, *b)));
        meetings
            .extend(before.iter().filter(|meeting| went_on(meeting.places[0], meeting.places[1])));
        meetings.sort_unstable_by_key(|meeting| meeting.places);
        // Of two that are the same, the first is the fresh one.
        fresh.sort_unstable_by_key(|(key, _)| *key);
        fresh.dedup_by_key(|(key, _)| *key);
        std::mem::swap(memory, fresh);
    }
}

/// The law, friction and normal of a contact, but not who is who.
fn touch(
    contact: &Contact,
    first: &Entry,
    second: &Entry,
    frictions: &FrictionTable,
) -> Option<Touch> {
    let own = first.law(&contact.first)?;
    let other = second.law(&contact.second)?;
    let spacing = match (contact.first.vertices().len(), contact.second.vertices().len()) {
        (1, _) => own.spacing,
        (_, 1) => other.spacing,
        _ => own.spacing.min(other.spacing),
    };
    let span =
        contact.first.blend(first.collider()?.x()) - contact.second.blend(second.collider()?.x());
    let mut law = own.between(&other, spacing);
    if first.bears().or(second.bears()).is_some() {
        law.stiffness *= RUBBLE;
    }
    if law.stiffness <= 0.0 {
        return None;
    }
    let friction = frictions.between(first.touch.material, second.touch.material);
    Some(Touch {
        members: [0; 2],
        normal: contact.normal,
        law,
        friction: friction.unwrap_or_else(|| first.touch.friction_with(&second.touch)),
        thickness: 0.0,
        eased: 0.0,
        easing: Easing::default(),
        holding: None,
        span,
        carried: None,
        impulse: DVec3::ZERO,
    })
}

/// How deep bodies may press into each other at a point with this law, in m, before the weaker one crumbles; none if neither has come
/// apart before.
fn crumbling(entries: [&Entry; 2], law: &VertexLaw) -> Option<f64> {
    let bears = entries.iter().filter_map(|entry| entry.bears()).reduce(f64::min)?;
    Some(law.crumbling_depth(bears))
}

/// What is remembered of a touch.
fn remembered(memory: &[(Key, Holding)], key: &Key) -> Option<Holding> {
    let place = memory.binary_search_by(|(known, _)| known.cmp(key));
    place.ok().map(|place| memory[place].1)
}

/// Takes the skins of all bodies that are awake to where they are.
fn follow(entries: &mut Entries, (h, reach): (f64, f64), thickness: f64) {
    entries.for_each(|entry| {
        if entry.wants_to_follow() {
            entry.follow(if entry.is_leaping() { h } else { reach }, thickness);
        }
    });
}

impl Found {
    /// Looks for contacts.
    fn look(&mut self, entries: &Entries, thickness: f64, memory: &[(Key, Holding)]) {
        self.contacts.clear();
        let [a, b] = self.bodies;
        let colliders = [a, b].map(|body| entries.get(body).and_then(|entry| entry.collider()));
        let [Some(first), Some(second)] = colliders else { return };
        if a == b {
            return self.finder.within(first, thickness, &mut self.contacts);
        }
        // What moves as prescribed came second when it was noted.
        let turned = entries.get(a).is_some_and(Entry::is_kinematic);
        let sign = if turned { -1.0 } else { 1.0 };
        let known = |[p, q, r, s]: [u32; 4]| {
            remembered(memory, &[a, b, p, q, r, s]).map(|holding| sign * holding.normal)
        };
        self.finder.between(first, second, thickness, known, &mut self.contacts);
    }

    /// How deep the two are in each other, in m; nothing of a body in itself.
    fn deepest(&self, thickness: f64) -> f64 {
        let [a, b] = self.bodies;
        let depths = self.contacts.iter().map(|contact| -(contact.gap + thickness));
        if a == b { 0.0 } else { depths.fold(0.0, f64::max) }
    }

    /// Whether the two touched in the last step.
    fn is_remembered(&self, memory: &[(Key, Holding)]) -> bool {
        let bodies = |(key, _): &(Key, Holding)| [key[0], key[1]];
        let place = memory.partition_point(|known| bodies(known) < self.bodies);
        memory.get(place).is_some_and(|known| bodies(known) == self.bodies)
    }

    fn key(&self, contact: &Contact) -> Key {
        let ([a, b], [p, q, r, s]) = (self.bodies, contact.key());
        [a, b, p, q, r, s]
    }
}

/// Bytes of what friction remembers of a touch.
const MEMORY: usize = 104;

/// What friction remembers, and who touched in the last step, so that events tell of what begins and ends;
/// all else is found anew in every step.
impl Persist for Touching {
    fn save(&self, to: &mut Writer) {
        to.u32(self.memory.len() as u32);
        for (key, Holding { offset, slip, normal, eased }) in &self.memory {
            key.iter().for_each(|number| to.u32(*number));
            to.vector(*offset);
            to.vector(*slip);
            to.vector(*normal);
            to.f64(*eased);
        }
        to.u32(self.meetings.len() as u32);
        self.meetings.iter().for_each(|meeting| meeting.save(to));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.memory.clear();
        for _ in 0..from.count(MEMORY)? {
            let mut key = Key::default();
            key.iter_mut().try_for_each(|slot| from.u32().map(|number| *slot = number))?;
            let (offset, slip) = (from.vector()?, from.vector()?);
            let holding = Holding { offset, slip, normal: from.vector()?, eased: from.f64()? };
            self.memory.push((key, holding));
        }
        self.meetings.clear();
        for _ in 0..from.count(Meeting::BYTES)? {
            self.meetings.push(Meeting::read(from)?);
        }
        let sorted = self.memory.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.meetings.is_sorted_by(|a, b| a.places < b.places);
        if sorted { Ok(()) } else { Err(from.bad("what touched")) }
    }
}
