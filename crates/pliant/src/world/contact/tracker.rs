//! Contacts between the bodies of a world, from step to step.

use glam::DVec3;
use rayon::prelude::*;

use crate::contact::{
    BodyContact, BodyPairs, Collider, Contact, Finder, FrictionMemory, FrictionTable,
    OverlapRecovery, points_inside,
};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::world::island::island::Island;
use crate::world::slot::slot::BodySlot;
use crate::world::slot::slots::Slots;
use pliant_mesh::geometry::Aabb;

use super::key::ContactKey;
use super::pair::ContactPair;
use super::thickness::Thickness;
use super::way_out::WayOut;

/// Contacts between bodies, found in every step, and the friction memory from one step to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactTracker {
    bounds: Vec<Aabb>,
    pairs: BodyPairs,
    /// Buffers for the contacts of pairs of bodies, of which the first `count` are in use.
    found: Vec<PairContacts>,
    count: usize,
    /// The rules of the present step.
    rules: ContactRules,
    /// Friction memory, sorted by key.
    memory: Vec<(ContactKey, FrictionMemory)>,
    /// The friction memory of the present step, before it replaces `memory`.
    new_memory: Vec<(ContactKey, FrictionMemory)>,
    /// Pairs that overlap since one of them was put in place, and the depth in m.
    initial_overlaps: Vec<([u32; 2], f64)>,
    /// Pairs of bodies that part, sorted.
    partings: Vec<([u32; 2], WayOut)>,
    /// Bodies and impulse of every contact point of the last step.
    impulses: Vec<([u32; 2], DVec3)>,
    /// Pairs in contact in the last step.
    contact_pairs: Vec<ContactPair>,
    /// Pairs in contact in the step before.
    previous_pairs: Vec<ContactPair>,
}

/// What contacts in a step depend on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactRules {
    /// The distances at which contact forces begin.
    pub(crate) thickness: Thickness,
    /// How overlaps are resolved.
    pub(crate) recovery: OverlapRecovery,
}

/// Contacts of two bodies, or of one with itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairContacts {
    pub(crate) bodies: [u32; 2],
    pub(crate) contacts: Vec<Contact>,
    /// How the two part, if one was put deep into the other.
    parting: Option<WayOut>,
    /// The length of the way, in m, if they begin to part in this step.
    way: Option<f64>,
    /// True if they may pass through each other in a step.
    is_fast: bool,
    finder: Finder,
}

/// Relative travel in a step, over the thickness of the thinner body, above which two bodies may pass through each other.
const FAST_TRAVEL: f64 = 0.5;

/// The same over the spacing of the finer skin, above which the thickness is looked at.
const LEAST_TRAVEL: f64 = 0.05;

/// The least number of vertices of skins, of all pairs together, that are worked on in parallel.
const MANY_VERTICES: usize = 512;

impl ContactTracker {
    /// Finds all contacts in a step of `h` seconds, looking ahead by `reach` seconds. Sleeping bodies, and bodies in the middle of a double
    /// step, are found by the others.
    pub(crate) fn find(&mut self, slots: &mut Slots, (h, reach): (f64, f64), rules: ContactRules) {
        self.rules = rules;
        let ContactRules { thickness: Thickness { at_first: thickness, .. }, recovery } = rules;
        self.mark_near(slots, (h, reach), thickness);
        self.count = 0;
        self.list_pairs(slots, thickness);
        let Self { found, count, memory, partings, .. } = self;
        let look = |found: &mut PairContacts| {
            found.is_fast = found.is_fast(slots);
            found.part(slots, recovery, memory, partings);
            if found.parting.is_none() {
                found.look(slots, thickness, memory);
            }
        };
        let found = &mut found[..*count];
        let vertices = || found.iter().map(|found| found.vertex_count(slots)).sum::<usize>();
        if rayon::current_thread_index().is_none() || vertices() < MANY_VERTICES {
            found.iter_mut().for_each(look);
        } else {
            found.par_iter_mut().with_max_len(1).for_each(look);
        }
        self.record_initial_overlaps(slots);
    }

    /// Removes all contacts of the step.
    pub(crate) fn find_none(&mut self) {
        self.count = 0;
        self.initial_overlaps.clear();
    }

    /// Records pairs that overlap since one of them was put in place.
    fn record_initial_overlaps(&mut self, slots: &Slots) {
        let Self { found, count, memory, initial_overlaps, rules, .. } = self;
        initial_overlaps.clear();
        for found in found[..*count].iter().filter(|found| !found.contacts.is_empty()) {
            let [Some(first), Some(second)] = found.bodies.map(|body| slots.get(body)) else {
                continue;
            };
            if let Some(way) = found.way {
                initial_overlaps.push((found.bodies, way));
            }
            if found.parting.is_some() {
                continue;
            }
            let depth = found.deepest(rules.thickness.at_first);
            let due = OverlapRecovery::is_too_deep(
                depth,
                first.contact.spacing().min(second.contact.spacing()),
            );
            if due
                && (first.contact.just_placed || second.contact.just_placed)
                && !found.is_remembered(memory)
            {
                initial_overlaps.push((found.bodies, depth));
            }
        }
    }

    /// Pairs that overlap since one of them was put in place, and the depth in m.
    pub(crate) fn initial_overlaps(&self) -> &[([u32; 2], f64)] {
        &self.initial_overlaps
    }

    /// Updates the colliders of the bodies whose boxes overlap. Most bodies are near no other one, and the boxes of their nodes show that.
    fn mark_near(&mut self, slots: &mut Slots, (h, reach): (f64, f64), thickness: f64) {
        let ahead = |slot: &BodySlot| if slot.double_step.is_under_way() { h } else { reach };
        slots.for_each(|slot| {
            if slot.needs_collider_update() {
                slot.enclose_collider(ahead(slot), thickness);
            }
        });
        self.bound(slots, thickness);
        for body in self.pairs.find(&self.bounds).iter().flatten() {
            if let Some(slot) = slots.get_mut(*body) {
                slot.contact.is_near = true;
            }
        }
        slots.for_each(|slot| {
            if slot.contact.is_near && slot.contact.collider_stale {
                slot.update_collider(ahead(slot), thickness);
            }
        });
    }

    /// The boxes of all bodies, enlarged by half the `thickness`.
    fn bound(&mut self, slots: &Slots, thickness: f64) {
        let bounds = |slot: &BodySlot| slot.contact.bounds().inflated(0.5 * thickness);
        let all = (0..slots.len() as u32).map(|index| slots.get(index));
        self.bounds.clear();
        self.bounds.extend(all.map(|slot| slot.map_or(Aabb::EMPTY, bounds)));
    }

    /// Lists the pairs of bodies that may be in contact, and the bodies that may be in contact with themselves.
    fn list_pairs(&mut self, slots: &Slots, thickness: f64) {
        self.bound(slots, thickness);
        let Self { bounds, pairs, found, count, .. } = self;
        let still = |slot: &BodySlot| slot.sleep.is_asleep() || slot.double_step.is_under_way();
        let meet = |[a, b]: [u32; 2]| {
            let (Some(a), Some(b)) = (slots.get(a), slots.get(b)) else { return false };
            let prescribed = |own: &BodySlot, other: &BodySlot| {
                own.double_step.is_under_way() && other.is_kinematic()
            };
            let stirred = !(still(a) && still(b) || prescribed(a, b) || prescribed(b, a));
            stirred
                && a.contact.config.allows(&b.contact.config)
                && !(a.is_kinematic() && b.is_kinematic())
        };
        let own = slots.indexed();
        let own = own.filter(|(_, slot)| slot.contact.config.with_itself && !still(slot));
        let near = pairs.find(bounds).iter().copied().filter(|pair| meet(*pair));
        for bodies in near.chain(own.map(|(body, _)| [body, body])) {
            if found.len() == *count {
                found.push(PairContacts::default());
            }
            found[*count].bodies = bodies;
            *count += 1;
        }
    }

    /// Keeps the pairs of bodies that part, once all contacts of the step are found: a search that is repeated has to begin with those of the last step.
    /// Returns them in ascending order.
    pub(crate) fn keep_partings(&mut self) -> &mut [([u32; 2], WayOut)] {
        let parting = |found: &PairContacts| found.parting.map(|parting| (found.bodies, parting));
        self.partings.clear();
        self.partings.extend(self.found[..self.count].iter().filter_map(parting));
        self.partings.sort_unstable_by_key(|(bodies, _)| *bodies);
        &mut self.partings
    }

    /// Pairs of bodies that may pass through each other in the step.
    pub(crate) fn fast_pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.found[..self.count].iter().filter(|found| found.is_fast).map(|found| found.bodies)
    }

    /// Contacts of all pairs of bodies that have any.
    pub(crate) fn found(&self) -> impl Iterator<Item = &PairContacts> {
        self.found[..self.count].iter().filter(|found| !found.contacts.is_empty())
    }

    /// The number of contacts of all pairs of bodies.
    pub(crate) fn count(&self) -> usize {
        self.found().map(|found| found.contacts.len()).sum()
    }

    /// Adds the contacts of two bodies to their island; `places` are theirs among its members, `None` for a kinematic body.
    pub(crate) fn add_contacts_to(
        &self,
        found: &PairContacts,
        slots: &Slots,
        places: [Option<u32>; 2],
        frictions: &FrictionTable,
        island: &mut Island,
    ) {
        for contact in &found.contacts {
            let key = found.key(contact);
            // A kinematic body comes second.
            let turned = places[0].is_none();
            let contact = if turned { contact.turned() } else { *contact };
            let order = if turned { [1, 0] } else { [0, 1] };
            let [first, second] = order.map(|side| slots.get(found.bodies[side]));
            let (Some(first), Some(second)) = (first, second) else { continue };
            let Some(member) = places[order[0]] else { continue };
            let strength = weaker_fragment(first, second);
            let Some(touch) = touch(&contact, [first, second], strength, frictions) else {
                continue;
            };
            let prescribed =
                places[order[1]].is_none().then(|| second.contact.moving_point(&contact.second));
            let members = [member, places[order[1]].unwrap_or(member)];
            let memory = remembered(&self.memory, &key);
            let apart = contact.gap + self.rules.thickness.at_first;
            let h = first.contact.collider().map_or(0.0, Collider::h);
            let before = memory.map(|memory| memory.thickness);
            let thickness = self.rules.thickness.at_contact(apart, before, h);
            let just_placed = first.contact.just_placed || second.contact.just_placed;
            let [own, other] = [first, second].map(|slot| slot.body.model().mass());
            let (lighter, mass) = match prescribed {
                Some(_) => (own, own),
                None => (own.min(other), f64::INFINITY),
            };
            let placed = just_placed.then_some(lighter);
            let raised = match memory {
                None if just_placed && slides(&contact, [first, second], thickness) => {
                    (thickness - apart).clamp(0.0, thickness)
                }
                _ => 0.0,
            };
            // Fragments are not moved apart to the distance that others keep.
            let kept = if strength.is_some() { 0.0 } else { thickness };
            let depths = (kept - apart, memory.map(|memory| memory.ignored_depth));
            let (ignored_depth, recovery) =
                self.rules.recovery.at_contact(&touch.law, strength, depths, placed);
            let touch = BodyContact {
                members,
                thickness,
                raised,
                ignored_depth,
                recovery,
                memory,
                prescribed,
                mass,
                ..touch
            };
            let weights = prescribed.is_none().then(|| second.contact.weights(&contact.second));
            let other = weights.into_iter().flatten();
            island.add_touch(key, touch, first.contact.weights(&contact.first), other);
        }
    }

    /// Records the friction and the impulses of the contacts of a step.
    pub(crate) fn record(&mut self, islands: &[Island], slots: &Slots) {
        self.new_memory.clear();
        self.new_memory.extend(islands.iter().flat_map(Island::friction_memories));
        self.impulses.clear();
        self.impulses.extend(islands.iter().flat_map(Island::impulses));
        self.impulses.sort_unstable_by_key(|(bodies, _)| *bodies);
        std::mem::swap(&mut self.contact_pairs, &mut self.previous_pairs);
        self.contact_pairs.clear();
        for (bodies, impulse) in &self.impulses {
            match self.contact_pairs.last_mut() {
                Some(last) if last.indices() == *bodies => last.add(*impulse),
                _ => {
                    let bodies = bodies.map(|body| slots.handle(body));
                    self.contact_pairs.push(ContactPair::new(bodies, *impulse));
                }
            }
        }
    }

    /// Pairs of bodies in contact in the last step.
    pub(crate) fn contact_pairs(&self) -> &[ContactPair] {
        &self.contact_pairs
    }

    /// Pairs whose contact began in the last step, and pairs of the step before whose contact ended.
    pub(crate) fn changes(
        &self,
    ) -> (impl Iterator<Item = &ContactPair>, impl Iterator<Item = &ContactPair>) {
        // Bodies are compared by handle: a new body may have the index of one that was removed.
        let lacks = |list: &[ContactPair], pair: &ContactPair| {
            let same = list.binary_search_by_key(&pair.indices(), ContactPair::indices);
            same.map_or(true, |index| list[index].bodies() != pair.bodies())
        };
        let began = self.contact_pairs.iter().filter(move |pair| lacks(&self.previous_pairs, pair));
        let ended = self.previous_pairs.iter().filter(move |pair| lacks(&self.contact_pairs, pair));
        (began, ended)
    }

    /// Forgets all contacts of a body that was removed or replaced.
    pub(crate) fn forget(&mut self, body: u32) {
        self.memory.retain(|([a, b, ..], _)| *a != body && *b != body);
        let own = self.found.iter_mut().filter(|found| found.bodies.contains(&body));
        own.for_each(|found| found.contacts.clear());
        self.partings.retain(|(bodies, _)| !bodies.contains(&body));
    }

    /// Replaces the friction memory by that of the step; that of bodies which slept or were not stepped stays.
    pub(crate) fn remember(&mut self, slots: &Slots) {
        let Self { memory, new_memory, contact_pairs, previous_pairs, .. } = self;
        let is = |body: u32, what: fn(&BodySlot) -> bool| slots.get(body).is_some_and(what);
        let sleeps = |body: u32| is(body, |slot| slot.sleep.is_asleep());
        let landed = |body: u32| is(body, |slot| slot.double_step.finished);
        let went_on = |a: u32, b: u32| {
            (landed(a) || landed(b)) && is(a, BodySlot::was_idle) && is(b, BodySlot::was_idle)
        };
        let stays = |a: u32, b: u32| sleeps(a) && sleeps(b) || went_on(a, b);
        new_memory.extend(memory.drain(..).filter(|([a, b, ..], _)| stays(*a, *b)));
        contact_pairs.extend(
            previous_pairs.iter().filter(|pair| went_on(pair.indices()[0], pair.indices()[1])),
        );
        contact_pairs.sort_unstable_by_key(ContactPair::indices);
        new_memory.sort_unstable_by_key(|(key, _)| *key);
        new_memory.dedup_by_key(|(key, _)| *key);
        std::mem::swap(memory, new_memory);
    }
}

/// The law, friction and normal of a contact, without members.
fn touch(
    contact: &Contact,
    [first, second]: [&BodySlot; 2],
    weaker_fragment: Option<f64>,
    frictions: &FrictionTable,
) -> Option<BodyContact> {
    let own = first.contact.law(&contact.first)?;
    let other = second.contact.law(&contact.second)?;
    let spacing = match (contact.first.vertices().len(), contact.second.vertices().len()) {
        (1, _) => own.spacing,
        (_, 1) => other.spacing,
        _ => own.spacing.min(other.spacing),
    };
    let span = contact.first.blend(first.contact.collider()?.x())
        - contact.second.blend(second.contact.collider()?.x());
    let mut law = own.between(&other, spacing);
    for slot in [first, second].into_iter().filter(|slot| slot.body.model().is_rigid()) {
        let h = slot.contact.collider().map_or(0.0, Collider::h);
        law = law.with_rigid(slot.body.model().mass(), h);
    }
    let law = if weaker_fragment.is_some() { law.with_fragment() } else { law };
    if law.stiffness <= 0.0 {
        return None;
    }
    Some(BodyContact {
        members: [0; 2],
        normal: contact.normal,
        law,
        friction: frictions.of(&first.contact.config, &second.contact.config),
        mass: f64::INFINITY,
        thickness: 0.0,
        raised: 0.0,
        ignored_depth: 0.0,
        recovery: OverlapRecovery::default(),
        memory: None,
        span,
        prescribed: None,
        impulse: DVec3::ZERO,
    })
}

/// True if the points of a contact slide by more than the thickness in a step.
fn slides(contact: &Contact, slots: [&BodySlot; 2], thickness: f64) -> bool {
    let [Some(first), Some(second)] = slots.map(|slot| slot.contact.collider()) else {
        return false;
    };
    let relative = contact.first.blend(first.v()) - contact.second.blend(second.v());
    let along = relative - contact.normal.dot(relative) * contact.normal;
    first.h() * along.length() > thickness
}

/// The tensile strength of the weaker fragment of two bodies, in Pa; `None` if neither is a fragment.
fn weaker_fragment(first: &BodySlot, second: &BodySlot) -> Option<f64> {
    let strengths = [first, second].into_iter().filter_map(BodySlot::fragment_strength);
    strengths.reduce(f64::min)
}

/// The friction memory of a contact.
fn remembered(memory: &[(ContactKey, FrictionMemory)], key: &ContactKey) -> Option<FrictionMemory> {
    let place = memory.binary_search_by(|(known, _)| known.cmp(key));
    place.ok().map(|place| memory[place].1)
}

impl PairContacts {
    /// True if the two part, and have no contact forces.
    pub(crate) fn is_parting(&self) -> bool {
        self.parting.is_some()
    }

    /// Goes on to part the two, or begins to if they were just put deep into each other.
    fn part(
        &mut self,
        slots: &Slots,
        recovery: OverlapRecovery,
        memory: &[(ContactKey, FrictionMemory)],
        partings: &[([u32; 2], WayOut)],
    ) {
        self.contacts.clear();
        (self.parting, self.way) = (None, None);
        let [a, b] = self.bodies;
        let bodies = [a, b].map(|body| slots.get(body));
        let [Some(first), Some(second)] = bodies else { return };
        let [Some(one), Some(other)] = [first, second].map(|slot| slot.contact.collider()) else {
            return;
        };
        let place = partings.binary_search_by_key(&self.bodies, |(bodies, _)| *bodies);
        if let Ok(place) = place {
            let (_, parting) = partings[place];
            points_inside(one, other, parting.way, &mut self.contacts);
            self.parting = Some(parting).filter(|_| !self.contacts.is_empty());
        } else if a != b
            && (first.contact.just_placed || second.contact.just_placed)
            && !self.is_remembered(memory)
        {
            let begun = WayOut::begin(one, other, recovery, &mut self.contacts);
            self.parting = begun.map(|(parting, _)| parting);
            self.way = begun.map(|(_, length)| length);
        }
    }

    /// The number of vertices of both skins: a measure of the work to look for contacts.
    fn vertex_count(&self, slots: &Slots) -> usize {
        let of = |body: &u32| {
            let collider = slots.get(*body).and_then(|slot| slot.contact.collider());
            collider.map_or(0, |collider| collider.facets().vertex_count())
        };
        self.bodies.iter().map(of).sum()
    }

    /// True if the two may move by the thickness of one of them in a step. Fragments do not count: rubble is thin, and a crowd of it would be held up.
    fn is_fast(&self, slots: &Slots) -> bool {
        let [a, b] = self.bodies;
        let [Some(first), Some(second)] = [a, b].map(|body| slots.get(body)) else { return false };
        let colliders = [first, second].map(|slot| slot.contact.collider());
        let [Some(one), Some(other)] = colliders else { return false };
        let (facets, travel) = ([one, other].map(Collider::facets), one.travel_to(other));
        let spacing = facets[0].spacing().min(facets[1].spacing());
        let thinner = || facets[0].thickness().min(facets[1].thickness());
        let whole = a != b && weaker_fragment(first, second).is_none();
        whole && travel > LEAST_TRAVEL * spacing && travel > FAST_TRAVEL * thinner()
    }

    /// Looks for contacts.
    fn look(&mut self, slots: &Slots, thickness: f64, memory: &[(ContactKey, FrictionMemory)]) {
        self.contacts.clear();
        let [a, b] = self.bodies;
        let colliders = [a, b].map(|body| slots.get(body).and_then(|slot| slot.contact.collider()));
        let [Some(first), Some(second)] = colliders else { return };
        if a == b {
            return self.finder.within(first, thickness, &mut self.contacts);
        }
        // A kinematic body came second when the contact was recorded.
        let turned = slots.get(a).is_some_and(BodySlot::is_kinematic);
        let sign = if turned { -1.0 } else { 1.0 };
        let known = |[p, q, r, s]: [u32; 4]| {
            remembered(memory, &[a, b, p, q, r, s])
                .map(|friction_memory| sign * friction_memory.normal)
        };
        self.finder.between(first, second, thickness, known, &mut self.contacts);
    }

    /// The depth of the overlap of the two, in m; zero for a body with itself.
    fn deepest(&self, thickness: f64) -> f64 {
        let [a, b] = self.bodies;
        let depths = self.contacts.iter().map(|contact| -(contact.gap + thickness));
        if a == b { 0.0 } else { depths.fold(0.0, f64::max) }
    }

    /// True if the two were in contact in the last step.
    fn is_remembered(&self, memory: &[(ContactKey, FrictionMemory)]) -> bool {
        let bodies = |(key, _): &(ContactKey, FrictionMemory)| [key[0], key[1]];
        let place = memory.partition_point(|known| bodies(known) < self.bodies);
        memory.get(place).is_some_and(|known| bodies(known) == self.bodies)
    }

    fn key(&self, contact: &Contact) -> ContactKey {
        let ([a, b], [p, q, r, s]) = (self.bodies, contact.key());
        [a, b, p, q, r, s]
    }
}

/// Bytes of the friction memory of a contact.
const MEMORY_BYTES: usize = 113;

/// The friction memory, and the pairs in contact in the last step, for events of contacts that begin and end; all else is found anew in
/// every step.
impl ContactTracker {
    pub(crate) fn save(&self, to: &mut Writer) {
        to.u32(self.memory.len() as u32);
        for (key, memory) in &self.memory {
            let FrictionMemory { offset, slip, normal, ignored_depth, thickness, pushed } = memory;
            key.iter().for_each(|number| to.u32(*number));
            to.vector(*offset);
            to.vector(*slip);
            to.vector(*normal);
            to.f64(*ignored_depth);
            to.f64(*thickness);
            to.flag(*pushed);
        }
        to.u32(self.contact_pairs.len() as u32);
        self.contact_pairs.iter().for_each(|pair| pair.save(to));
        to.u32(self.partings.len() as u32);
        for (bodies, parting) in &self.partings {
            bodies.iter().for_each(|body| to.u32(*body));
            parting.save(to);
        }
    }

    /// Loads it for the bodies in `slots`.
    pub(crate) fn load(
        &mut self,
        slots: &Slots,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.memory.clear();
        for _ in 0..from.count(MEMORY_BYTES)? {
            let mut key = ContactKey::default();
            key.iter_mut().try_for_each(|place| from.u32().map(|number| *place = number))?;
            let (offset, slip) = (from.vector()?, from.vector()?);
            let (normal, ignored_depth, thickness) = (from.vector()?, from.f64()?, from.f64()?);
            let pushed = from.flag()?;
            let friction_memory =
                FrictionMemory { offset, slip, normal, ignored_depth, thickness, pushed };
            self.memory.push((key, friction_memory));
        }
        self.contact_pairs.clear();
        for _ in 0..from.count(ContactPair::BYTES)? {
            self.contact_pairs.push(ContactPair::read(slots, from)?);
        }
        self.partings.clear();
        for _ in 0..from.count(8 + WayOut::BYTES)? {
            let bodies = [from.u32()?, from.u32()?];
            self.partings.push((bodies, WayOut::read(from)?));
        }
        let sorted = self.memory.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.contact_pairs.is_sorted_by(|a, b| a.indices() < b.indices())
            && self.partings.is_sorted_by(|(a, _), (b, _)| a < b);
        if sorted { Ok(()) } else { Err(from.bad("contacts in order")) }
    }
}
