//! The attachments of a world.

use glam::DVec3;

use crate::body::{Body, Pull};
use crate::force::{PairForces, PairSide, PointForce};
use crate::fracture::Links;
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::math::Mat3;
use pliant_mesh::mesh::{Fragment, Mesh};

/// All attachments of a world that hold. A released one leaves nothing behind: a game attaches and releases for hours.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attachments {
    /// In the order in which they were made, each with its number.
    list: Vec<(u32, Attached)>,
    /// The number of attachments that were ever made: the number of the next one.
    next: u32,
}

impl Attachments {
    /// No attachments, the next one with this number.
    pub(crate) fn starting_at(next: u32) -> Self {
        Self { list: Vec::new(), next }
    }

    /// The number of the next attachment.
    pub(crate) fn next_number(&self) -> u32 {
        self.next
    }

    /// The number of attachments that hold.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds an attachment, and returns its number.
    pub(crate) fn add(&mut self, attached: Attached) -> u32 {
        let number = self.next;
        self.next += 1;
        self.list.push((number, attached));
        number
    }

    /// Adds one of a snapshot, whose number must be between the last one and the next; false if it is not.
    pub(crate) fn add_again(&mut self, number: u32, attached: Attached) -> bool {
        let above = self.list.last().is_none_or(|(last, _)| *last < number);
        let sound = above && number < self.next;
        if sound {
            self.list.push((number, attached));
        }
        sound
    }

    /// Removes an attachment; `None` if it was released before.
    pub(crate) fn remove(&mut self, number: u32) -> Option<Attached> {
        let place = self.place(number)?;
        Some(self.list.remove(place).1)
    }

    /// The attachment with a number, unless it was released.
    pub(crate) fn get(&self, number: u32) -> Option<&Attached> {
        self.list.get(self.place(number)?).map(|(_, attached)| attached)
    }

    /// The attachment at a place in the list, with its number.
    pub(crate) fn at(&self, place: usize) -> Option<(u32, &Attached)> {
        self.list.get(place).map(|(number, attached)| (*number, attached))
    }

    /// Replaces an attachment.
    pub(crate) fn replace(&mut self, number: u32, attached: Attached) {
        if let Some(place) = self.place(number) {
            self.list[place].1 = attached;
        }
    }

    fn place(&self, number: u32) -> Option<usize> {
        self.list.binary_search_by_key(&number, |(number, _)| *number).ok()
    }

    /// All attachments, with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Attached)> {
        self.list.iter().map(|(number, attached)| (*number, attached))
    }

    /// True if two bodies are attached to each other.
    pub(crate) fn join(&self, [a, b]: [u32; 2]) -> bool {
        let mut pairs = self.iter().filter_map(|(_, attached)| attached.bodies());
        pairs.any(|pair| pair == [a, b] || pair == [b, a])
    }

    /// True if a body is attached to anything.
    pub(crate) fn name(&self, body: u32) -> bool {
        self.iter().any(|(_, attached)| attached.names(body))
    }
}

/// A point of a body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttachedPoint {
    /// Its cell.
    pub(crate) cell: u32,
    /// Nodes of the cell, and their weights.
    pub(crate) weights: Vec<(u32, f64)>,
}

/// The targets of the points of an attachment.
#[derive(Debug, Clone)]
pub(crate) enum Held {
    /// Points of another body.
    By(u32, Vec<AttachedPoint>),
    /// Targets of springs, which are also springs of the body.
    At(Vec<Pull>),
}

/// An attachment of a world.
#[derive(Debug, Clone)]
pub(crate) struct Attached {
    pub(crate) body: u32,
    pub(crate) points: Vec<AttachedPoint>,
    pub(crate) held: Held,
    /// Stiffness of each spring, in N/m.
    pub(crate) stiffness: f64,
    /// The force on all points together above which it breaks, in N.
    pub(crate) strength: f64,
}

impl Attached {
    /// The two bodies; `None` if it holds a body to a frame or to the world.
    pub(crate) fn bodies(&self) -> Option<[u32; 2]> {
        match self.held {
            Held::By(other, _) => Some([self.body, other]),
            Held::At(_) => None,
        }
    }

    /// Adds its springs between two bodies, given as members of an island.
    pub(crate) fn push_pairs<'s>(
        &self,
        members: [u32; 2],
        x: impl Fn(u32) -> &'s [DVec3],
        pairs: &mut PairForces,
    ) {
        let Held::By(_, others) = &self.held else { return };
        for (first, second) in self.points.iter().zip(others) {
            let sides = [(members[0], first), (members[1], second)]
                .map(|(member, point)| PairSide { member, weights: &point.weights });
            let [p, q] = sides.map(|side| side.blend(x(side.member)));
            let (stiffness, damping) = (Mat3::IDENTITY * self.stiffness, Mat3::ZERO);
            pairs.push(sides, PointForce { force: self.stiffness * (q - p), stiffness, damping });
        }
    }
}

impl Attached {
    /// True if it holds a body, or is held by it.
    pub(crate) fn names(&self, index: u32) -> bool {
        self.body == index || self.bodies().is_some_and(|bodies| bodies.contains(&index))
    }

    /// The part of it that belongs to a fragment of body `index`, which now has the index `place`; `None` if there is none.
    pub(crate) fn of_part(
        &self,
        index: u32,
        part: &Fragment,
        place: u32,
        body: &Body,
    ) -> Option<Self> {
        let mesh = body.model().mesh();
        let carried = |of: u32, point: &AttachedPoint| match of == index {
            true => point.of_part(part, mesh),
            false => Some(point.clone()),
        };
        let moved = |of: u32| if of == index { place } else { of };
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
            Held::By(other, _) => Held::By(moved(other), others),
            Held::At(_) => Held::At(pulls),
        };
        let whole = !points.is_empty();
        whole.then(|| Self { body: moved(self.body), points, held, ..self.clone() })
    }

    pub(crate) fn save(&self, to: &mut Writer) {
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

impl AttachedPoint {
    /// The same point of a fragment of its body; `None` if the fragment does not contain it.
    fn of_part(&self, part: &Fragment, mesh: &Mesh) -> Option<Self> {
        let cell = part.cell(self.cell)?;
        let nodes = mesh.cell(cell as usize).1;
        let copy =
            |node: u32| nodes.iter().copied().find(|copy| part.nodes[*copy as usize] == node);
        let weights = self.weights.iter().map(|(node, weight)| Some((copy(*node)?, *weight)));
        Some(Self { cell, weights: weights.collect::<Option<_>>()? })
    }
}

fn save_points(points: &[AttachedPoint], to: &mut Writer) {
    to.u32(points.len() as u32);
    for AttachedPoint { cell, weights } in points {
        to.u32(*cell);
        to.u32(weights.len() as u32);
        for (node, weight) in weights {
            to.u32(*node);
            to.f64(*weight);
        }
    }
}

pub(crate) fn read_points(
    body: &Body,
    from: &mut Reader<'_>,
) -> Result<Vec<AttachedPoint>, SnapshotError> {
    /// The least number of bytes of a point, and of a weight.
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
            return Err(from.bad("a point of an attachment"));
        }
        points.push(AttachedPoint { cell, weights });
    }
    Ok(points)
}
