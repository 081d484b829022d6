//! The contacts of a step.

use glam::DVec3;

use crate::contact::{Contact, ContactLevel, ObstacleTouch, OverlapRecovery};
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

use super::obstacle_pair::ObstaclePair;
use super::pair::ContactPair;
use super::point::ContactPoint;
use super::tracker::ContactRules;
use super::way_out::WayOut;

impl World {
    /// Pairs of bodies in contact in the last step, in the order of the bodies.
    pub fn contact_pairs(&self) -> &[ContactPair] {
        self.contacts.contact_pairs()
    }

    /// Contacts between bodies at the start of the last step, some of them about to close. In the order of the bodies.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPoint> {
        self.contacts.found().flat_map(|found| {
            let bodies = found.bodies.map(|index| self.slots.handle(index));
            let first = self.slots.get(found.bodies[0]).and_then(|slot| slot.contact.collider());
            found.contacts.iter().filter_map(
                move |Contact { first: feature, normal, gap, .. }| {
                    let position = feature.blend(first?.x());
                    Some(ContactPoint { bodies, position, normal: *normal, gap: *gap })
                },
            )
        })
    }

    /// True if there can be contact: between two bodies, or of one with itself.
    pub(crate) fn has_contact(&self) -> bool {
        let themselves = || self.slots.iter().any(|slot| slot.contact.config.with_itself);
        self.config.contact != ContactLevel::Off && (self.slots.body_count() > 1 || themselves())
    }

    /// Finds the contacts of bodies with each other and with themselves, and wakes bodies in contact. Contact with obstacles is found
    /// in every substep.
    pub(crate) fn find_contacts(&mut self) {
        if !self.has_contact() {
            return self.contacts.find_none();
        }
        // The spacing of every skin counts from the first step on.
        self.slots.for_each(BodySlot::prepare_for_bodies);
        let recovery = OverlapRecovery::new(self.config.gravity, self.config.dt);
        let mut contacts = std::mem::take(&mut self.contacts);
        let reach = if self.limits.half_rate { 2.0 } else { 1.0 } * self.config.dt;
        loop {
            let rules = ContactRules { thickness: self.thickness(), recovery };
            contacts.find(&mut self.slots, (self.config.dt, reach), rules);
            let mut woke = false;
            for body in contacts.found().flat_map(|found| found.bodies) {
                woke |= self.wake_slot(body);
            }
            // Bodies that wake may be in contact with others that sleep.
            let cancelled = self.cancel_touched_double_steps(&contacts);
            if !woke && !cancelled {
                break;
            }
        }
        for (pair, depth) in contacts.initial_overlaps() {
            self.record_overlap(*pair, *depth);
        }
        for (pair, parting) in contacts.keep_partings() {
            self.push_apart(*pair, parting);
        }
        self.contacts = contacts;
    }

    /// Gives two bodies that part their speed apart, as wholes, so that nothing is strained. Momentum is kept.
    fn push_apart(&mut self, pair: [u32; 2], parting: &mut WayOut) {
        let motion = |body: u32| {
            let slot = self.slots.get(body)?;
            let can_move = !slot.is_kinematic() && slot.body.pins().is_empty();
            let mass = slot.body.model().mass();
            Some((slot.momentum() / mass, if can_move { 1.0 / mass } else { 0.0 }))
        };
        let [Some((v, lightness)), Some((other_v, other_lightness))] = pair.map(motion) else {
            return;
        };
        let missing = parting.missing_speed(parting.way.dot(v - other_v));
        let together = lightness + other_lightness;
        if self.attachments.join(pair) || together <= 0.0 || missing <= 0.0 {
            return;
        }
        let impulse = missing / together * parting.way;
        for (body, change) in
            pair.into_iter().zip([lightness * impulse, -other_lightness * impulse])
        {
            let Some(slot) = self.slots.get_mut(body).filter(|_| change != DVec3::ZERO) else {
                continue;
            };
            // This is the velocity at the start of the step, also for those who compare energies.
            let velocities = slot.body.state.v.iter_mut().chain(&mut slot.start_state.state.v);
            velocities.for_each(|v| *v += change);
            slot.stepping.energy.forget();
        }
    }

    /// Records that two bodies overlap since one of them was put in place.
    fn record_overlap(&mut self, pair: [u32; 2], depth: f64) {
        // Fragments of one body may overlap where it broke, and attached bodies where they meet.
        let original = |body| self.slots.get(body).map(|slot| slot.identity.original);
        let [first, second] = pair.map(original);
        if first != second && !self.attachments.join(pair) {
            let [body, other] = pair.map(|index| self.slots.handle(index));
            let kind = EventKind::Overlapped { other, depth };
            self.record.events.push(Event { body, kind });
        }
    }

    /// Records contacts that began or ended.
    pub(crate) fn record_contact_changes(&mut self) {
        let (began, ended) = self.contacts.changes();
        for pair in began {
            let [body, other] = pair.bodies();
            let kind = EventKind::Touched { other, strongest: pair.strongest };
            self.record.events.push(Event { body, kind });
        }
        for pair in ended {
            let [body, other] = pair.bodies();
            self.record.events.push(Event { body, kind: EventKind::Parted { other } });
        }
    }

    /// Records the obstacles that a body was put into.
    pub(crate) fn record_obstacle_overlaps(&mut self, index: u32) {
        let body = self.slots.handle(index);
        let slot = self.slots.get_mut(index);
        let contact = slot.and_then(|slot| slot.contact.obstacles.as_mut());
        let Some(contact) = contact.filter(|contact| !contact.overlaps().is_empty()) else {
            return;
        };
        let handles = self.environment.obstacles.handles();
        self.record.events.extend(contact.overlaps().iter().map(|overlap| {
            let (obstacle, depth) = (handles[overlap.obstacle as usize], overlap.depth);
            Event { body, kind: EventKind::InObstacle { obstacle, depth } }
        }));
        contact.clear_overlaps();
    }

    /// Records the obstacles that a body began or ceased to touch in the last step.
    pub(crate) fn record_obstacle_touches(&mut self, index: u32) {
        let body = self.slots.handle(index);
        let slot = self.slots.get_mut(index);
        let Some(contact) = slot.and_then(|slot| slot.contact.obstacles.as_mut()) else { return };
        let handles = self.environment.obstacles.handles();
        let (mut parted, events) = (Vec::new(), &mut self.record.events);
        let handle = |obstacle: u32| handles.get(obstacle as usize).copied();
        let began = |touch: &ObstacleTouch| {
            let ObstacleTouch { obstacle, impulse, point, normal, .. } = *touch;
            let Some(obstacle) = handle(obstacle) else { return };
            let kind = EventKind::TouchedObstacle { obstacle, impulse, point, normal };
            events.push(Event { body, kind });
        };
        contact.touches.tell_changes(began, |obstacle| parted.extend(handle(obstacle)));
        let parted = parted.into_iter().map(|obstacle| EventKind::PartedObstacle { obstacle });
        self.record.events.extend(parted.map(|kind| Event { body, kind }));
    }

    /// Bodies that touched obstacles in the last step, in the order of the bodies: for the sounds of landing, sliding and rolling. A body
    /// that sleeps has the impulses of its last step.
    pub fn obstacle_pairs(&self) -> impl Iterator<Item = ObstaclePair> {
        let handles = self.obstacle_handles();
        self.slots.indexed().flat_map(move |(index, slot)| {
            let body = self.slots.handle(index);
            let touches = slot.contact.obstacle_touches();
            touches.filter_map(move |touch| {
                let ObstacleTouch { obstacle, impulse, strongest, point, normal } = *touch;
                let obstacle = *handles.get(obstacle as usize)?;
                Some(ObstaclePair { body, obstacle, impulse, strongest, point, normal })
            })
        })
    }
}
