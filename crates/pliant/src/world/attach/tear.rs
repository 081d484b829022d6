//! Attachments that break, and attachments of bodies that break.

use crate::body::{Body, Pull};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::world::report::event::{Event, EventKind};
use crate::world::world::World;
use pliant_mesh::mesh::Fragment;

use super::attached::{Attached, Attachments, Held, read_points};
use super::attachment::AttachmentHandle;

impl World {
    /// Releases attachments whose force is above their strength.
    pub(crate) fn break_attachments(&mut self) {
        for index in 0..self.attachments.0.len() as u32 {
            let Some(attached) = self.attachments.get(index) else { continue };
            if attached.strength.is_infinite() {
                continue;
            }
            let (body, strength) = (self.slots.handle(attached.body), attached.strength);
            let handle = AttachmentHandle { index };
            let force = self.reaction(handle).map_or(0.0, |reaction| reaction.force.length());
            if force > strength {
                self.detach(handle);
                let kind = EventKind::Detached { attachment: handle, force };
                self.record.events.push(Event { body, kind });
            }
        }
    }

    /// Moves the attachments of a body to its fragments, which have these indices. An attachment with points in several
    /// fragments becomes several attachments, of which the first keeps its handle.
    pub(crate) fn part_attachments(&mut self, index: u32, parts: &[Fragment], places: &[u32]) {
        for attachment in 0..self.attachments.0.len() {
            let Some(attached) = &self.attachments.0[attachment] else { continue };
            if !attached.names(index) {
                continue;
            }
            let mut own: Vec<Attached> = Vec::new();
            for (part, place) in parts.iter().zip(places) {
                let Some(slot) = self.slots.get(*place) else { continue };
                own.extend(attached.of_part(index, part, *place, &slot.body));
            }
            let mut own = own.into_iter();
            self.attachments.0[attachment] = own.next();
            self.attachments.0.extend(own.map(Some));
        }
        self.renew_ties();
    }

    /// Gives every body the springs of its attachments again.
    fn renew_ties(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.body.untie_all());
        for (index, attached) in self.attachments.iter() {
            let Attached { body, held: Held::At(pulls), .. } = attached else { continue };
            if let Some(slot) = self.slots.get_mut(*body) {
                slot.body.tie_again(index, pulls);
            }
        }
    }

    /// Saves all attachments.
    pub(crate) fn save_attachments(&self, to: &mut Writer) {
        to.u32(self.attachments.0.len() as u32);
        for attached in &self.attachments.0 {
            to.flag(attached.is_some());
            attached.iter().for_each(|attached| attached.save(to));
        }
    }

    /// Replaces all attachments by those of a snapshot.
    pub(crate) fn load_attachments(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let mut attachments = Vec::new();
        for _ in 0..from.count(1)? {
            let held = from.flag()?;
            attachments.push(if held { Some(self.read_attached(from)?) } else { None });
        }
        self.attachments = Attachments(attachments);
        self.renew_ties();
        Ok(())
    }

    fn body_at(&self, place: u32, from: &Reader<'_>) -> Result<&Body, SnapshotError> {
        let slot = self.slots.get(place);
        slot.map(|slot| &slot.body).ok_or_else(|| from.bad("a body of an attachment"))
    }

    fn read_attached(&self, from: &mut Reader<'_>) -> Result<Attached, SnapshotError> {
        let body = from.u32()?;
        let (stiffness, strength) = (from.f64()?, from.f64()?);
        let own = self.body_at(body, from)?;
        let points = read_points(own, from)?;
        let held = if from.flag()? {
            let other = from.u32()?;
            Held::By(other, read_points(self.body_at(other, from)?, from)?)
        } else {
            let count = points.len();
            Held::At((0..count).map(|_| Pull::read(own.model(), from)).collect::<Result<_, _>>()?)
        };
        Ok(Attached { body, points, held, stiffness, strength })
    }
}
