//! What becomes of attachments when the bodies that they hold break, or they do.

use crate::body::{Body, Links, Pull};
use crate::mesh::{Mesh, Part};
use crate::persist::{Reader, SnapshotError, Writer};

use super::attachment::{Attached, Held, Point};
use super::{AttachmentHandle, Event, EventKind, Handle, World};

impl World {
    /// Lets go of attachments that are pulled harder than they bear.
    pub(super) fn let_go_of_the_torn(&mut self) {
        for index in 0..self.attachments.len() as u32 {
            let Some(Some(attached)) = self.attachments.get(index as usize) else { continue };
            if attached.strength.is_infinite() {
                continue;
            }
            let (body, strength) =
                (Handle { index: attached.body, generation: 0 }, attached.strength);
            let handle = AttachmentHandle { index };
            let force = self.reaction(handle).map_or(0.0, |reaction| reaction.force.length());
            if force > strength {
                self.detach(handle);
                let kind = EventKind::Detached { attachment: handle, force };
                self.events.push(Event { body, kind });
            }
        }
    }

    /// Hands what was attached to a body over to its parts, which are in these places of the world: what has points in several becomes
    /// several attachments, of which the first keeps its handle.
    pub(super) fn part_attachments(&mut self, index: u32, parts: &[Part], slots: &[u32]) {
        for attachment in 0..self.attachments.len() {
            let Some(attached) = &self.attachments[attachment] else { continue };
            if !attached.names(index) {
                continue;
            }
            let mut own: Vec<Attached> = Vec::new();
            for (part, slot) in parts.iter().zip(slots) {
                let Some(entry) = self.entries.get(*slot) else { continue };
                own.extend(attached.of_part(index, part, *slot, &entry.body));
            }
            let mut own = own.into_iter();
            self.attachments[attachment] = own.next();
            self.attachments.extend(own.map(Some));
        }
        self.renew_ties();
    }

    /// Gives every body the springs of the attachments that hold it.
    fn renew_ties(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.body.untie_all());
        for (index, attached) in (0u32..).zip(&self.attachments) {
            let Some(Attached { body, held: Held::At(pulls), .. }) = attached else { continue };
            if let Some(entry) = self.entries.get_mut(*body) {
                entry.body.tie_again(index, pulls);
            }
        }
    }

    /// Writes all attachments.
    pub(super) fn save_attachments(&self, to: &mut Writer) {
        to.u32(self.attachments.len() as u32);
        for attached in &self.attachments {
            to.flag(attached.is_some());
            if let Some(attached) = attached {
                attached.save(to);
            }
        }
    }

    /// Reads all attachments: those that were written hold, and no others.
    pub(super) fn load_attachments(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let mut attachments = Vec::new();
        for _ in 0..from.count(1)? {
            let held = from.flag()?;
            attachments.push(if held { Some(self.read_attached(from)?) } else { None });
        }
        self.attachments = attachments;
        self.renew_ties();
        Ok(())
    }

    fn body_at(&self, slot: u32, from: &Reader<'_>) -> Result<&Body, SnapshotError> {
        let entry = self.entries.get(slot);
        entry.map(|entry| &entry.body).ok_or_else(|| from.bad("a body that is attached"))
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

impl Attached {
    /// Whether it holds a body, or is held by it.
    pub(super) fn names(&self, index: u32) -> bool {
        self.body == index || self.bodies().is_some_and(|bodies| bodies.contains(&index))
    }

    /// As far as it holds, or is held by, a part of body `index`, which is in a place of its own now.
    fn of_part(&self, index: u32, part: &Part, slot: u32, body: &Body) -> Option<Self> {
        let mesh = body.model().mesh();
        let carried = |of: u32, point: &Point| match of == index {
            true => point.of_part(part, mesh),
            false => Some(point.clone()),
        };
        let place = |of: u32| if of == index { slot } else { of };
        let (mut points, mut others, mut pulls) = (Vec::new(), Vec::new(), Vec::new());
        for (k, point) in self.points.iter().enumerate() {
            let Some(point) = carried(self.body, point) else { continue };
            match &self.held {
                Held::By(other, held) => {
                    let Some(held) = carried(*other, &held[k]) else { continue };
                    others.push(held);
                }
                Held::At(held) => {
                    let links = Links::of(part, body.model());
                    let Some(pull) = links.pull(&held[k]) else { continue };
                    pulls.push(pull);
                }
            }
            points.push(point);
        }
        let held = match self.held {
            Held::By(other, _) => Held::By(place(other), others),
            Held::At(_) => Held::At(pulls),
        };
        let whole = !points.is_empty();
        whole.then(|| Self { body: place(self.body), points, held, ..self.clone() })
    }

    fn save(&self, to: &mut Writer) {
        to.u32(self.body);
        to.f64(self.stiffness);
        to.f64(self.strength);
        save_points(&self.points, to);
        match &self.held {
            Held::By(other, points) => {
                to.flag(true);
                to.u32(*other);
                save_points(points, to);
            }
            Held::At(pulls) => {
                to.flag(false);
                pulls.iter().for_each(|pull| pull.save(to));
            }
        }
    }
}

impl Point {
    /// The same point of a part of its body, if that has it.
    fn of_part(&self, part: &Part, mesh: &Mesh) -> Option<Self> {
        let cell = part.cell(self.cell)?;
        let nodes = mesh.cell(cell as usize).1;
        let copy =
            |node: u32| nodes.iter().copied().find(|copy| part.nodes[*copy as usize] == node);
        let weights = self.weights.iter().map(|(node, weight)| Some((copy(*node)?, *weight)));
        Some(Self { cell, weights: weights.collect::<Option<_>>()? })
    }
}

fn save_points(points: &[Point], to: &mut Writer) {
    to.u32(points.len() as u32);
    for Point { cell, weights } in points {
        to.u32(*cell);
        to.u32(weights.len() as u32);
        for (node, weight) in weights {
            to.u32(*node);
            to.f64(*weight);
        }
    }
}

fn read_points(body: &Body, from: &mut Reader<'_>) -> Result<Vec<Point>, SnapshotError> {
    /// Bytes of the least that is written of a point, and of a weight.
    const LEAST: [usize; 2] = [8, 12];
    let mesh = body.model().mesh();
    let mut points = Vec::new();
    for _ in 0..from.count(LEAST[0])? {
        let cell = from.u32()?;
        let mut weights = Vec::new();
        for _ in 0..from.count(LEAST[1])? {
            weights.push((from.u32()?, from.f64()?));
        }
        let sound =
            |(node, weight): &(u32, f64)| (*node as usize) < mesh.nodes.len() && weight.is_finite();
        if cell as usize >= mesh.cell_count() || !weights.iter().all(sound) {
            return Err(from.bad("a point that is attached"));
        }
        points.push(Point { cell, weights });
    }
    Ok(points)
}
