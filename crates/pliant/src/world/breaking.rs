//! Bodies that come apart in a step.

use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Body, Neighbours};
use crate::contact::ContactLevel;
use crate::fracture::{Broken, Fracture, Opening};
use crate::mesh::Part;
use crate::solver::MethodError;

use super::entry::Entry;
use super::{Event, EventKind, Handle, World};

/// Settings of how bodies of breakable materials come apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FractureConfig {
    /// Most places at which something comes apart in a step, in the whole world (default `32`): those that are strained most. What is
    /// left is looked at again in the next step.
    pub limit: u32,
    /// Steps from one look for breaks to the next (default `1`). Looking costs about as much as the forces of a step.
    pub every: u32,
    /// Decides between places that are equally strained (default `0`).
    pub seed: u64,
}

impl Default for FractureConfig {
    fn default() -> Self {
        Self { limit: 32, every: 1, seed: 0 }
    }
}

/// A body that came apart in a step, at some places.
#[derive(Debug, Clone, PartialEq)]
pub struct Break {
    /// The body: what is left of it, which is the heaviest of its pieces.
    pub body: Handle,
    /// The other pieces, which are bodies of their own now; none if it has only cracked.
    pub pieces: Vec<Handle>,
    /// Where it came apart, and how hard it was pulled there.
    pub openings: Vec<Opening>,
    /// The fresh surface, for dust and sound.
    pub faces: Vec<FreshFace>,
}

/// A face that has come to lie open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreshFace {
    /// The piece it is of.
    pub body: Handle,
    /// Its middle, in m.
    pub point: DVec3,
    /// How that moves, in m/s.
    pub velocity: DVec3,
    /// Unit vector out of the piece.
    pub normal: DVec3,
    /// Its area, in m².
    pub area: f64,
}

/// A body that has come apart, before its pieces have places.
struct Shattered {
    index: u32,
    /// The heaviest first, which stays in the place of the whole.
    parts: Vec<Part>,
    taken: Vec<Opening>,
    pieces: Vec<Entry>,
    /// Neighbours of the cells of what it was.
    joined: Vec<Vec<Option<u32>>>,
}

impl World {
    /// What came apart in the last step, in the order of the bodies.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use pliant::body::{Body, Model};
    /// use pliant::material::{Material, Toughness};
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// let mesh = box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() })?;
    /// let chalk = Material { toughness: Some(Toughness::new(1e4)), ..Default::default() };
    /// let mut world = World::new(WorldConfig { gravity: DVec3::ZERO, ..Default::default() })?;
    /// let bar = world.add(Body::new("bar", Arc::new(Model::uniform(mesh, chalk)?), vec![])?);
    /// // Its ends fly apart.
    /// let state = &mut world.body_mut(bar).expect("it was added").state;
    /// state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = 20.0 * (x.x - 2.0).signum() * DVec3::X);
    /// let before = world.bodies().len();
    /// for _ in 0..30 {
    ///     world.step();
    /// }
    /// assert!(world.bodies().len() > before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn breaks(&self) -> &[Break] {
        &self.breaks
    }

    /// Lets all bodies come apart where they have been found to.
    pub(super) fn break_up(&mut self) {
        self.breaks.clear();
        self.let_go_of_the_torn();
        for shattered in self.shatter() {
            self.take_up(shattered);
        }
    }

    /// What comes apart, side by side among threads, in the order of the bodies.
    fn shatter(&mut self) -> Vec<Shattered> {
        let chosen = self.chosen();
        // What cannot come apart where it was found to is looked at anew.
        for (index, _) in &chosen {
            let entry = self.entries.get_mut(*index);
            entry.into_iter().for_each(|entry| entry.fracture.wait_no_more());
        }
        let meets = self.config.contact != ContactLevel::Off;
        let shatter = |(index, count): &(u32, usize)| {
            let mut shattered = self.entries.get(*index)?.shatter(*index, *count)?;
            if meets {
                shattered.pieces.iter_mut().for_each(Entry::meet_bodies);
            }
            Some(shattered)
        };
        if chosen.len() > 1 && rayon::current_thread_index().is_some() {
            chosen.par_iter().filter_map(shatter).collect()
        } else {
            chosen.iter().filter_map(shatter).collect()
        }
    }

    /// Bodies that break now, and at how many places.
    fn chosen(&mut self) -> Vec<(u32, usize)> {
        let mut chosen = self.strained();
        let most = self.effort.breaks.map_or(usize::MAX, |most| most.max(1) as usize);
        self.breaks_left = chosen.len().saturating_sub(most) as u32;
        if self.breaks_left > 0 {
            self.put_off(&mut chosen, most);
        }
        chosen
    }

    /// Leaves those that have waited for longest, or are strained most, and puts off the others.
    fn put_off(&mut self, chosen: &mut Vec<(u32, usize)>, most: usize) {
        let first = |index: u32| {
            let fracture = self.entries.get(index).map(|entry| &entry.fracture);
            let rank = fracture.and_then(|fracture| fracture.openings().first()).map(|o| o.rank);
            (fracture.map_or(0, Fracture::waited), rank.unwrap_or(0.0))
        };
        chosen.sort_by(|(a, _), (b, _)| {
            let ((a_waited, a_rank), (b_waited, b_rank)) = (first(*a), first(*b));
            b_waited.cmp(&a_waited).then(b_rank.total_cmp(&a_rank)).then(a.cmp(b))
        });
        for (index, _) in chosen.drain(most..) {
            self.entries.get_mut(index).into_iter().for_each(|entry| entry.fracture.put_off());
        }
        chosen.sort_unstable();
    }

    /// Bodies that are strained by more than they bear, and at how many places: those that are strained most, if all would be too many.
    fn strained(&self) -> Vec<(u32, usize)> {
        let found = (0..self.entries.len() as u32).filter_map(|index| {
            let count = self.entries.get(index)?.openings().len();
            (count > 0).then_some((index, count))
        });
        let limit = self.config.fracture.limit as usize;
        let found: Vec<_> = found.collect();
        if found.iter().map(|(_, count)| count).sum::<usize>() <= limit {
            return found;
        }
        let mut ranks: Vec<(f64, u32)> = Vec::new();
        for (index, _) in &found {
            let openings = self.entries.get(*index).map_or(&[][..], Entry::openings);
            ranks.extend(openings.iter().take(limit).map(|opening| (opening.rank, *index)));
        }
        ranks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranks.truncate(limit);
        let own = |index: u32| ranks.iter().filter(|(_, body)| *body == index).count();
        found.iter().map(|(index, _)| (*index, own(*index))).filter(|(_, own)| *own > 0).collect()
    }

    /// Puts pieces in the place of what has come apart.
    fn take_up(&mut self, shattered: Shattered) {
        let Shattered { index, parts, taken, mut pieces, joined } = shattered;
        let first = self.entries.len() as u32;
        let slots: Vec<u32> = std::iter::once(index).chain(first..).take(parts.len()).collect();
        let named = pieces.iter_mut().zip(&slots);
        named.for_each(|(piece, slot)| piece.body.take_name(*slot));
        let faces = parts.iter().zip(&slots).zip(&pieces);
        let faces =
            faces.flat_map(|((part, slot), piece)| fresh(part, *slot, &piece.body, &joined));
        let report = Break {
            body: handle(index),
            pieces: slots[1..].iter().copied().map(handle).collect(),
            openings: taken,
            faces: faces.collect(),
        };
        self.note_whole(index);
        for (slot, piece) in slots.iter().zip(pieces) {
            self.put_piece(*slot, piece);
        }
        self.touching.forget(index);
        self.part_attachments(index, &parts, &slots);
        self.tell_break(report);
    }

    /// Puts a piece into its place: that of the body it is of, or a new one.
    pub(super) fn put_piece(&mut self, slot: u32, mut piece: Entry) {
        if !self.obstacles.is_empty() {
            piece.meet_obstacles();
        }
        piece.version = self.next_version();
        if (slot as usize) < self.entries.len() {
            self.entries.take(slot);
            self.entries.put(slot, Box::new(piece));
        } else {
            self.entries.push(piece);
        }
    }

    fn tell_break(&mut self, report: Break) {
        let strongest = report.openings.iter().map(|opening| opening.stress).fold(0.0, f64::max);
        let kind = EventKind::Broke { pieces: report.pieces.len() + 1, stress: strongest };
        self.events.push(Event { body: report.body, kind });
        self.breaks.push(report);
        self.reserve_events();
    }
}

impl Entry {
    /// Where it is pulled apart by more than it bears, strongest first.
    fn openings(&self) -> &[Opening] {
        if self.rest.is_asleep() { &[] } else { self.fracture.openings() }
    }

    /// Tension that the strongest of its cells bears, in Pa, if it has come apart from something; without limit if it is nothing that
    /// breaks.
    pub(super) fn bears(&self) -> Option<f64> {
        self.body.part()?;
        let strengths =
            self.body.model().materials().iter().filter_map(|material| material.toughness);
        strengths.map(|toughness| toughness.strength).reduce(f64::max).or(Some(f64::INFINITY))
    }

    /// Breaks at the first so many of the places that were found, unless nothing can come apart there. A piece that cannot be stepped
    /// as the whole was leaves it whole.
    fn shatter(&self, index: u32, count: usize) -> Option<Shattered> {
        let Broken { mut parts, taken } = self.fracture.take(&self.body, count)?;
        let joined = self.body.model().mesh().cell_neighbours();
        let heaviest = heaviest(&self.body, &parts);
        parts[..=heaviest].rotate_right(1);
        let pieces = parts.iter().map(|part| self.piece(part, &joined));
        let mut pieces: Vec<Self> = pieces.collect::<Result<_, _>>().ok()?;
        // What the step did to the whole is told of what is left of it.
        pieces[0].report = self.report;
        Some(Shattered { index, parts, taken, pieces, joined })
    }

    /// A part of it.
    fn piece(&self, part: &Part, joined: &Neighbours) -> Result<Self, MethodError> {
        let body = self.body.come_apart(part, joined);
        let mut piece = Self::new(body, self.method)?;
        piece.stepper.follow(&self.stepper);
        piece.last.clone_from(&piece.body.state);
        // Nobody has put it where it is.
        piece.fresh = false;
        piece.leap.shake();
        (piece.root, piece.touch, piece.since_flow) = (self.root, self.touch, self.since_flow);
        Ok(piece)
    }
}

/// The place of the heaviest part of a body; the first of several.
fn heaviest(body: &Body, parts: &[Part]) -> usize {
    let volumes = body.model().mesh().cell_volumes();
    let mass = |part: &Part| -> f64 {
        let cells = part.cells.iter().map(|cell| *cell as usize);
        cells.map(|cell| volumes[cell] * body.model().material(cell).density).sum()
    };
    let masses: Vec<f64> = parts.iter().map(mass).collect();
    (1..masses.len()).fold(0, |best, place| if masses[place] > masses[best] { place } else { best })
}

/// Faces of a part that were joined in the whole.
fn fresh(part: &Part, slot: u32, body: &Body, joined: &Neighbours) -> Vec<FreshFace> {
    let mesh = body.model().mesh();
    let faces = body.model().fresh_faces().iter().filter(|[cell, face]| {
        joined[part.cells[*cell as usize] as usize][*face as usize].is_some()
    });
    let face = |[cell, face]: &[u32; 2]| {
        let corners = mesh.face(*cell as usize, *face as usize).corners;
        let mean = |of: &[DVec3]| {
            corners.iter().map(|node| of[*node as usize]).sum::<DVec3>() / corners.len() as f64
        };
        let (point, velocity) = (mean(&body.state.x), mean(&body.state.v));
        let at = |k: usize| body.state.x[corners[k % corners.len()] as usize] - point;
        let sum = (0..corners.len()).map(|k| at(k).cross(at(k + 1))).sum::<DVec3>();
        let (normal, area) = (sum.normalize_or_zero(), 0.5 * sum.length());
        FreshFace { body: handle(slot), point, velocity, normal, area }
    };
    faces.map(face).collect()
}

fn handle(index: u32) -> Handle {
    Handle { index, generation: 0 }
}
