//! Bodies that break in a step.

use glam::DVec3;
use rayon::prelude::*;

use crate::body::{Body, CellNeighbours};
use crate::contact::ContactLevel;
use crate::fracture::{Broken, Fracture, FragmentPlace, Opening};
use crate::solver::MethodError;
use crate::world::report::breaks::{Break, FreshFace};
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::handle::BodyHandle;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;
use pliant_mesh::mesh::Fragment;

/// A broken body, before its fragments are in the world.
struct Shattered {
    /// The index of the body, which its heaviest fragment keeps.
    index: u32,
    /// The parts of its mesh, the heaviest first.
    parts: Vec<Fragment>,
    /// The points where it opened.
    taken: Vec<Opening>,
    /// A body for each part.
    fragments: Vec<BodySlot>,
    /// Neighbours of the cells of the unbroken body.
    joined: Vec<Vec<Option<u32>>>,
}

impl World {
    /// Releases overloaded attachments, and breaks bodies at the points where they are strained beyond their strength.
    pub(crate) fn break_up(&mut self) {
        self.record.breaks.clear();
        self.break_attachments();
        for shattered in self.shatter() {
            self.replace_by_fragments(shattered);
        }
    }

    /// Breaks the chosen bodies in parallel; the result is in the order of the bodies.
    fn shatter(&mut self) -> Vec<Shattered> {
        let chosen = self.choose_bodies_to_break();
        // A body that cannot break at the points that were found is examined again.
        for (index, _) in &chosen {
            let slot = self.slots.get_mut(*index);
            slot.into_iter().for_each(|slot| slot.fracture.wait_no_more());
        }
        let meets = self.config.contact != ContactLevel::Off;
        let shatter = |(index, count): &(u32, usize)| {
            let mut shattered = self.slots.get(*index)?.shatter(*index, *count)?;
            if meets {
                shattered.fragments.iter_mut().for_each(BodySlot::prepare_for_bodies);
            }
            Some(shattered)
        };
        if chosen.len() > 1 && rayon::current_thread_index().is_some() {
            chosen.par_iter().filter_map(shatter).collect()
        } else {
            chosen.iter().filter_map(shatter).collect()
        }
    }

    /// Bodies that break now, and the number of points where each opens.
    fn choose_bodies_to_break(&mut self) -> Vec<(u32, usize)> {
        let mut chosen = self.strained();
        let most = self.limits.breaks.map_or(usize::MAX, |most| most.max(1) as usize);
        self.record.breaks_put_off = chosen.len().saturating_sub(most) as u32;
        if self.record.breaks_put_off > 0 {
            self.put_off(&mut chosen, most);
        }
        chosen
    }

    /// Keeps those that have waited longest, or are under the highest strain, and puts off the others.
    fn put_off(&mut self, chosen: &mut Vec<(u32, usize)>, most: usize) {
        let first = |index: u32| {
            let fracture = self.slots.get(index).map(|slot| &slot.fracture);
            let rank = fracture.and_then(|fracture| fracture.openings().first()).map(|o| o.rank);
            (fracture.map_or(0, Fracture::waited), rank.unwrap_or(0.0))
        };
        chosen.sort_by(|(a, _), (b, _)| {
            let ((a_waited, a_rank), (b_waited, b_rank)) = (first(*a), first(*b));
            b_waited.cmp(&a_waited).then(b_rank.total_cmp(&a_rank)).then(a.cmp(b))
        });
        for (index, _) in chosen.drain(most..) {
            self.slots.get_mut(index).into_iter().for_each(|slot| slot.fracture.put_off());
        }
        chosen.sort_unstable();
    }

    /// Bodies strained beyond their strength, and the number of such points in each: those under the highest strain, up to the limit.
    fn strained(&self) -> Vec<(u32, usize)> {
        let found = (0..self.slots.len() as u32).filter_map(|index| {
            let count = self.slots.get(index)?.openings().len();
            (count > 0).then_some((index, count))
        });
        let limit = self.config.fracture.limit as usize;
        let found: Vec<_> = found.collect();
        if found.iter().map(|(_, count)| count).sum::<usize>() <= limit {
            return found;
        }
        let mut ranks: Vec<(f64, u32)> = Vec::new();
        for (index, _) in &found {
            let openings = self.slots.get(*index).map_or(&[][..], BodySlot::openings);
            ranks.extend(openings.iter().take(limit).map(|opening| (opening.rank, *index)));
        }
        ranks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranks.truncate(limit);
        let own = |index: u32| ranks.iter().filter(|(_, body)| *body == index).count();
        found.iter().map(|(index, _)| (*index, own(*index))).filter(|(_, own)| *own > 0).collect()
    }

    /// Replaces a broken body by its fragments.
    fn replace_by_fragments(&mut self, shattered: Shattered) {
        let Shattered { index, parts, taken, mut fragments, joined } = shattered;
        let indices = self.fragment_indices(index, parts.len());
        for (fragment, index) in fragments.iter_mut().zip(&indices) {
            let original = self.originals.get(fragment.identity.original);
            let is_first = original.is_some_and(|original| original.place == *index);
            fragment.body.take_name(FragmentPlace { index: *index, is_first });
        }
        let faces = parts.iter().zip(&indices).zip(&fragments);
        let faces = faces.flat_map(|((part, index), fragment)| {
            fresh_faces(part, self.slots.handle(*index), &fragment.body, &joined)
        });
        let report = Break {
            body: self.slots.handle(index),
            pieces: indices[1..].iter().map(|index| self.slots.handle(*index)).collect(),
            openings: taken,
            faces: faces.collect(),
        };
        self.store_whole(index);
        for (index, fragment) in indices.iter().zip(fragments) {
            self.put_slot(*index, fragment);
        }
        self.contacts.forget(index);
        self.part_attachments(index, &parts, &indices);
        self.record_break(report);
    }

    /// The indices of the fragments of a body: its own for the first, and free ones for the others.
    fn fragment_indices(&self, index: u32, count: usize) -> Vec<u32> {
        std::iter::once(index).chain(self.slots.free_indices()).take(count).collect()
    }

    /// Puts a body or fragment at an index, prepared for contact with obstacles.
    pub(crate) fn put_slot(&mut self, index: u32, mut slot: BodySlot) {
        if !self.environment.obstacles.is_empty() {
            slot.prepare_for_obstacles();
        }
        self.slots.put_at(index, slot);
    }

    fn record_break(&mut self, report: Break) {
        let strongest = report.openings.iter().map(|opening| opening.stress).fold(0.0, f64::max);
        let kind = EventKind::Broke { pieces: report.pieces.len() + 1, stress: strongest };
        self.record.events.push(Event { body: report.body, kind });
        self.record.breaks.push(report);
        self.record.reserve_events(self.slots.len());
    }
}

impl BodySlot {
    /// Points strained beyond their strength, the one under the highest strain first; none while it sleeps.
    fn openings(&self) -> &[Opening] {
        if self.sleep.is_asleep() { &[] } else { self.fracture.openings() }
    }

    /// The tensile strength of its strongest cell, in Pa, if it is a fragment; infinite if its material does not break.
    pub(crate) fn fragment_strength(&self) -> Option<f64> {
        self.body.part()?;
        let strengths =
            self.body.model().materials().iter().filter_map(|material| material.toughness);
        strengths.map(|toughness| toughness.strength).reduce(f64::max).or(Some(f64::INFINITY))
    }

    /// Breaks at the first `count` of the points that were found; `None` if nothing can open there, or if a fragment cannot be
    /// stepped by the method of the body.
    fn shatter(&self, index: u32, count: usize) -> Option<Shattered> {
        let Broken { mut parts, taken } = self.fracture.take(&self.body, count)?;
        let joined = self.body.model().mesh().cell_neighbours();
        let heaviest = heaviest(&self.body, &parts);
        parts[..=heaviest].rotate_right(1);
        let fragments = parts.iter().map(|part| self.fragment(part, &joined));
        let mut fragments: Vec<Self> = fragments.collect::<Result<_, _>>().ok()?;
        // The report of the step stays with the heaviest fragment.
        fragments[0].report = self.report;
        Some(Shattered { index, parts, taken, fragments, joined })
    }

    /// A fragment of it.
    fn fragment(&self, part: &Fragment, joined: &CellNeighbours) -> Result<Self, MethodError> {
        let body = self.body.come_apart(part, joined);
        let mut fragment = Self::new(body, self.stepping.method)?;
        fragment.stepping.stepper.follow(&self.stepping.stepper);
        fragment.start_state.store(&fragment.body.state);
        // It has not been put in place by a caller, so it is not pushed out of overlaps slowly.
        fragment.contact.just_placed = false;
        fragment.double_step.hold_full_rate();
        fragment.identity.original = self.identity.original;
        (fragment.contact.config, fragment.flow.since) = (self.contact.config, self.flow.since);
        Ok(fragment)
    }
}

/// The index of the heaviest part of a body; the first of several.
fn heaviest(body: &Body, parts: &[Fragment]) -> usize {
    let volumes = body.model().mesh().cell_volumes();
    let mass = |part: &Fragment| -> f64 {
        let cells = part.cells.iter().map(|cell| *cell as usize);
        cells.map(|cell| volumes[cell] * body.model().material(cell).density).sum()
    };
    let masses: Vec<f64> = parts.iter().map(mass).collect();
    (1..masses.len()).fold(0, |best, part| if masses[part] > masses[best] { part } else { best })
}

/// Faces of a fragment that were inside of the body before this break.
fn fresh_faces(
    part: &Fragment,
    handle: BodyHandle,
    body: &Body,
    joined: &CellNeighbours,
) -> Vec<FreshFace> {
    let mesh = body.model().mesh();
    let faces = body.fresh_faces().iter().filter(|[cell, face]| {
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
        FreshFace { body: handle, point, velocity, normal, area }
    };
    faces.map(face).collect()
}
