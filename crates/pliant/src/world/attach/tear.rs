//! Attachments that break, and attachments of bodies that break.

use crate::body::{Body, Pull};
use crate::persist::{Reader, SnapshotError, Writer};
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::handle::BodyHandle;
use crate::world::world::World;
use pliant_mesh::mesh::Fragment;

use super::attached::{Attached, Attachments, Held, read_points};
use super::attachment::AttachmentHandle;

impl World {
    /// Releases attachments whose force is above their strength.
    pub(crate) fn break_attachments(&mut self) {
        let mut place = 0;
        while let Some((number, attached)) = self.attachments.at(place) {
            let (body, strength) = (self.slots.handle(attached.body), attached.strength);
            // Those that are released leave their place to the next.
            place += usize::from(!self.release_overloaded(number, body, strength));
        }
    }

    /// Releases an attachment whose force is above its strength; true if it did.
    fn release_overloaded(&mut self, number: u32, body: BodyHandle, strength: f64) -> bool {
        if strength.is_infinite() {
            return false;
        }
        let attachment = AttachmentHandle { number };
        let force = self.reaction(attachment).map_or(0.0, |reaction| reaction.force.length());
        if force > strength {
            self.detach(attachment);
            let kind = EventKind::Detached { attachment, force };
            self.record.events.push(Event { body, kind });
        }
        force > strength
    }

    /// Moves the attachments of a body to its fragments, which have these indices. An attachment with points in several
    /// fragments becomes several attachments, of which the first keeps its handle.
    pub(crate) fn part_attachments(&mut self, index: u32, parts: &[Fragment], places: &[u32]) {
        for AttachmentHandle { number } in self.attachments_of(index).collect::<Vec<_>>() {
            let Some(attached) = self.attachments.get(number) else { continue };
            let mut own: Vec<Attached> = Vec::new();
            for (part, place) in parts.iter().zip(places) {
                let Some(slot) = self.slots.get(*place) else { continue };
                own.extend(attached.of_part(index, part, *place, &slot.body));
            }
            let mut own = own.into_iter();
            match own.next() {
                Some(first) => self.attachments.replace(number, first),
                None => _ = self.attachments.remove(number),
            }
            own.for_each(|other| _ = self.attachments.add(other));
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
        to.u32(self.attachments.next_number());
        to.u32(self.attachments.len() as u32);
        for (number, attached) in self.attachments.iter() {
            to.u32(number);
            attached.save(to);
        }
    }

    /// Replaces all attachments by those of a snapshot.
    pub(crate) fn load_attachments(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// The least number of bytes of an attachment.
        const LEAST: usize = 24;
        let mut attachments = Attachments::starting_at(from.u32()?);
        for _ in 0..from.count(LEAST)? {
            let number = from.u32()?;
            if !attachments.add_again(number, self.read_attached(from)?) {
                return Err(from.bad("the number of an attachment"));
            }
        }
        self.attachments = attachments;
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
