//! Steps at half rate: two at once, and none the next time.
//!
//! ```text
//! step n       M (w − vₙ) = 2h [f(xₙ + 2h w) + …]    x₊ = xₙ + 2h w    the body is at (xₙ + x₊)/2, (vₙ + w)/2
//! step n + 1   nothing is solved                                       the body is at x₊, w
//! ```
//!
//! Only implicit Euler's rules take steps of twice the length as they take others. Half of what is awake leaps in one step and the other
//! half in the next, so that each step is about half the work; or a large island in one and all others in the next. Whatever happens to a body in the middle of a leap ends the leap there,
//! for all that leapt with it: they are at the right time, and go on one step at a time.

use glam::DVec3;

use crate::body::State;
use crate::contact::{ContactLevel, Obstacle};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::Stepper;

use super::attachment::Attached;
use super::body_stepper::BodyStepper;
use super::entry::Entry;
use super::island::Island;
use super::touching::Touching;
use super::{StepReport, World};

/// Two steps that a body has taken at once, in the middle of which it is.
#[derive(Debug, Clone)]
pub(super) struct Leap {
    /// Those that leapt together have the same number; none for a body that is in the middle of nothing.
    group: Option<u32>,
    /// Where it ends.
    end: State,
    /// Whether it has ended in this step, in which the body was not stepped.
    pub(super) over: bool,
    /// Steps for which the body is stepped one at a time: it has just been struck, or has broken.
    shaken: u32,
}

impl Default for Leap {
    fn default() -> Self {
        Self { group: None, end: State::at_rest(&[]), over: false, shaken: 0 }
    }
}

/// Steps after a blow or a break in which bodies do not leap: a longer step would damp what breaks them.
const SHAKEN: u32 = 12;

impl Leap {
    /// Notes that the body was struck, or has broken.
    pub(super) fn shake(&mut self) {
        self.shaken = SHAKEN;
    }

    /// Makes room for where a body of so many nodes ends.
    pub(super) fn make_room(&mut self, nodes: usize) {
        self.end.x.resize(nodes, DVec3::ZERO);
        self.end.v.resize(nodes, DVec3::ZERO);
    }
}

impl Entry {
    /// Whether it is in the middle of a leap.
    pub(super) fn is_leaping(&self) -> bool {
        self.leap.group.is_some()
    }

    /// Whether nothing was solved for it in this step: it slept, landed, or moved as prescribed.
    pub(super) fn was_idle(&self) -> bool {
        self.rest.is_asleep() || self.leap.over || self.is_kinematic()
    }

    /// Whether it can take two steps at once: nothing that is prescribed moves it meanwhile, and its rule does not mind.
    fn may_leap(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        use Stepper::{BackwardEuler, BaraffWitkin, ImplicitEuler};
        // That is of a body that sleeps, and this one does not.
        self.ball = None;
        let damps = matches!(self.method.stepper, ImplicitEuler | BaraffWitkin | BackwardEuler);
        damps
            && self.leap.shaken == 0
            && matches!(self.stepper, BodyStepper::Implicit(_))
            && self.body.springs().next().is_none()
            && !self.is_driven(obstacles, from, to)
    }

    /// Goes back to the middle of the two steps that it has taken together with others.
    fn stop_halfway(&mut self, group: u32) {
        if self.rest.is_asleep() || self.report.reset {
            return;
        }
        let Self { leap, body, last, .. } = self;
        leap.end.clone_from(&body.state);
        let State { x, v } = &mut body.state;
        x.iter_mut().zip(&last.x).for_each(|(x, begin)| *x = x.midpoint(*begin));
        v.iter_mut().zip(&last.v).for_each(|(v, begin)| *v = v.midpoint(*begin));
        leap.group = Some(group);
    }

    /// Whether it is where it stopped halfway, and nobody pulls it.
    fn is_undisturbed(&self) -> bool {
        let Self { leap: Leap { end, .. }, body, last, .. } = self;
        let State { x, v } = &body.state;
        let between = |at: &[DVec3], from: &[DVec3], to: &[DVec3]| {
            at.iter().zip(from.iter().zip(to)).all(|(at, (from, to))| *at == to.midpoint(*from))
        };
        body.springs().next().is_none()
            && end.x.len() == x.len()
            && between(x, &last.x, &end.x)
            && between(v, &last.v, &end.v)
    }

    /// Ends its leap where that leads.
    fn land(&mut self) {
        self.body.state.clone_from(&self.leap.end);
        (self.leap.group, self.leap.over) = (None, true);
        (self.astray, self.fresh) = (true, false);
    }
}

impl World {
    /// Ends the leaps, in the middle, of bodies that someone has changed or attached to others.
    pub(super) fn stop_the_disturbed(&mut self) {
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get_mut(index) else { continue };
            (entry.leap.over, entry.leap.shaken) = (false, entry.leap.shaken.saturating_sub(1));
            if entry.is_leaping() && !entry.is_undisturbed() {
                self.stop_leap(index);
            }
        }
        for index in 0..self.attachments.len() {
            let bodies = self.attachments[index].as_ref().and_then(Attached::bodies);
            bodies.into_iter().for_each(|bodies| _ = self.stop_unequal(bodies));
        }
    }

    /// Ends the leaps of bodies that touch others; tells whether there were any.
    pub(super) fn stop_the_touched(&mut self, touching: &Touching) -> bool {
        let mut any = false;
        for found in touching.found() {
            any |= self.stop_unequal(found.bodies);
        }
        any
    }

    /// Ends the leaps of two bodies unless they leap together; tells whether there was one.
    fn stop_unequal(&mut self, bodies: [u32; 2]) -> bool {
        let group = |body: u32| self.entries.get(body).and_then(|entry| entry.leap.group);
        let [first, second] = bodies.map(group);
        if first == second {
            return false;
        }
        bodies.into_iter().for_each(|body| self.stop_leap(body));
        true
    }

    /// Ends the leap of a body and of all that leap with it, where they are.
    fn stop_leap(&mut self, body: u32) {
        let Some(group) = self.entries.get(body).and_then(|entry| entry.leap.group) else { return };
        for entry in self.entries.iter_mut().filter(|entry| entry.leap.group == Some(group)) {
            entry.leap.group = None;
            entry.begin(self.time);
        }
    }

    /// Ends all leaps where they lead; returns how many nodes were in them.
    pub(super) fn land(&mut self) -> usize {
        let leaping = self.entries.iter_mut().filter(|entry| entry.is_leaping());
        leaping.map(|entry| (entry.land(), entry.body.state.x.len()).1).sum()
    }

    /// Lets islands leap of which about half of all nodes are, if they may, or one that is larger than that; `landed` are not stepped.
    pub(super) fn choose_leaps(&mut self, landed: usize) {
        let allowed = self.effort.half_rate && self.config.contact != ContactLevel::Safe;
        let (from, to) = (self.time, self.time + 2.0 * self.config.dt);
        let islands = &mut self.islands[..self.island_count];
        for island in &mut *islands {
            island.leaps = allowed && island.may_leap(&self.obstacles, from, to);
        }
        let half = (landed + islands.iter().map(Island::size).sum::<usize>()).div_ceil(2);
        let is_large = |island: &Island| island.leaps && island.size() > half;
        let mut left = if islands.iter().any(is_large) { 0 } else { half };
        for island in islands.iter_mut().filter(|island| !is_large(island)) {
            island.leaps &= island.size() <= left;
            left -= if island.leaps { island.size() } else { 0 };
        }
    }
}

impl StepReport {
    /// Counts a body that leaps, or has landed.
    pub(super) fn count_leap(&mut self, entry: &Entry) {
        let unknowns = entry.body.unknowns().count();
        self.given_up.landed += u32::from(entry.leap.over);
        self.landed += if entry.leap.over { unknowns } else { 0 };
        self.leapt += if entry.is_leaping() { unknowns } else { 0 };
    }
}

impl Island {
    /// Whether all its bodies can take two steps at once.
    fn may_leap(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        self.members_mut().all(|entry| entry.may_leap(obstacles, from, to))
    }

    /// Brings its bodies back to the middle, if they have leapt.
    pub(super) fn stop_halfway(&mut self) {
        if let (true, Some(group)) = (self.leaps, self.bodies().first().copied()) {
            self.members_mut().for_each(|entry| entry.stop_halfway(group));
        }
    }
}

impl Persist for Leap {
    fn save(&self, to: &mut Writer) {
        to.u32(self.shaken);
        to.flag(self.group.is_some());
        if let Some(group) = self.group {
            to.u32(group);
            self.end.save(to);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        (self.group, self.over) = (None, false);
        self.shaken = from.u32()?;
        if from.flag()? {
            self.group = Some(from.u32()?);
            self.end.load(from)?;
        }
        if self.group.is_none() || self.end.is_finite() {
            Ok(())
        } else {
            Err(from.bad("a finite state"))
        }
    }
}
