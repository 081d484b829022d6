//! Bodies that touch, and are stepped together.

use glam::DVec3;

use crate::contact::{Holding, Interval, Touch, Touches};
use crate::force::{PairForces, PointForce};
use crate::island::SleepConfig;
use crate::math::Mat3;
use crate::solver::{ENOUGH, Joint, MOST_ROUNDS, Phase, PhaseTeller, implicit_change};

use super::attachment::Attached;
use super::body_stepper::{BodyStepper, Substep};
use super::entries::Entries;
use super::entry::Entry;
use super::moment::Moment;
use super::skin_loads::Blowing;
use super::touching::Key;

/// A composite island (Parker & O'Brien 2009, section 4): it owns its bodies while it steps them, so
/// that islands can be stepped side by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Island {
    /// Places of its bodies in the world.
    bodies: Vec<u32>,
    #[expect(
        clippy::vec_box,
        reason = "bodies change hands in every step; moving them would copy them"
    )]
    members: Vec<Box<Entry>>,
    /// What touches among them, and what each touch is known by.
    touches: Touches,
    keys: Vec<Key>,
    /// Attachments between its members, with the places of those, and the impulses of their springs so
    /// far in this step.
    ties: Vec<(u32, [u32; 2])>,
    tie_impulses: Vec<DVec3>,
    pairs: PairForces,
    joint: Joint,
    forces: Vec<DVec3>,
    /// Whether it takes two steps at once.
    pub(super) leaps: bool,
}

/// How many times faster nodes may be that count as still where a solve was cut short: about as much as that leaves.
const ROUGH: f64 = 40.0;

/// How many times longer pieces that lie on nothing have to be still than others, to sleep.
const SWINGING: u32 = 8;

impl Island {
    /// Is that of these bodies from now on, which do not touch yet.
    pub(super) fn found(&mut self, bodies: &[u32]) {
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        self.touches.clear();
        self.keys.clear();
        self.ties.clear();
        self.tie_impulses.clear();
    }

    /// Adds an attachment between two of its members.
    pub(super) fn add_tie(&mut self, attachment: u32, members: [u32; 2]) {
        self.ties.push((attachment, members));
    }

    /// Adds a touch between two of its members, or one of them and something that moves as prescribed.
    pub(super) fn add_touch(
        &mut self,
        key: Key,
        touch: Touch,
        first: impl IntoIterator<Item = (u32, f64)>,
        second: impl IntoIterator<Item = (u32, f64)>,
    ) {
        self.keys.push(key);
        self.touches.push(touch, first, second);
    }

    /// Takes its bodies out of the world.
    pub(super) fn collect(&mut self, entries: &mut Entries) {
        self.members.extend(self.bodies.iter().map(|body| entries.take(*body)));
    }

    /// What friction remembers of its touches, at the end of a step.
    pub(super) fn holdings(&self) -> impl Iterator<Item = (Key, Holding)> {
        let x = |member: u32| &*self.members[member as usize].body.state.x;
        let holding = move |(index, key): (usize, &Key)| {
            self.touches.holding(index, x).map(|holding| (*key, holding))
        };
        self.keys.iter().enumerate().filter_map(holding)
    }

    /// Bodies and impulse of each of its touches that pushed, in the order of the bodies.
    pub(super) fn impulses(&self) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        let pushed = self.keys.iter().zip(self.touches.list());
        let pushed = pushed.filter(|(_, touch)| touch.impulse != DVec3::ZERO);
        pushed.map(|([a, b, ..], touch)| {
            // The first member of a touch is the second body where the first moves as prescribed.
            let first = self.bodies[touch.members[0] as usize];
            ([*a, *b], if first == *a { touch.impulse } else { -touch.impulse })
        })
    }

    /// Gives them back.
    pub(super) fn release(&mut self, entries: &mut Entries) {
        for (body, entry) in self.bodies.iter().zip(self.members.drain(..)) {
            entries.put(*body, entry);
        }
    }

    /// Places of its bodies in the world.
    pub(super) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Its bodies.
    pub(super) fn members_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.members.iter_mut().map(|entry| &mut **entry)
    }

    /// Sets back what is no longer finite, at the end of a step.
    pub(super) fn finish(&mut self, time: f64) {
        self.members.iter_mut().for_each(|entry| entry.finish(time));
    }

    /// Puts its bodies to sleep if all have lain still for long; tells whether it did.
    pub(super) fn settles(&mut self, sleep: &SleepConfig, group: u32) -> bool {
        for _ in 0..if self.leaps { 2 } else { 1 } {
            self.members.iter_mut().for_each(|entry| {
                entry.count_rest(if entry.cut_short { ROUGH * sleep.speed } else { sleep.speed });
            });
        }
        // What nothing holds up, or only a pin does, may be about to swing back. Of pieces nobody minds, once they are still for long.
        let lies = !self.touches.is_empty() || self.members.iter().any(|entry| entry.leans);
        let pieces = self.members.iter().all(|entry| entry.body.part().is_some());
        let steps = if lies { sleep.steps } else { SWINGING.saturating_mul(sleep.steps) };
        let still = self.members.iter().all(|entry| entry.rest.still() >= steps);
        let settled = (lies || pieces) && still;
        if settled {
            self.members.iter_mut().for_each(|entry| entry.sleep(group));
        }
        settled
    }

    /// Remembers under what loads its bodies fell asleep.
    pub(super) fn note_calm(&mut self, wind: Blowing<'_>) {
        self.members.iter_mut().for_each(|entry| entry.note_calm(wind));
    }

    /// About how much work it is to step: nodes of all members.
    pub(super) fn size(&self) -> usize {
        self.members.iter().map(|entry| entry.body.state.x.len()).sum()
    }

    /// Advances its bodies by a step.
    pub(super) fn step(&mut self, moment: &Moment<'_>, phase: &mut PhaseTeller<'_>) {
        if self.touches.is_empty() && self.ties.is_empty() {
            self.members.iter_mut().for_each(|entry| entry.step_alone(moment, phase));
        } else {
            self.choose_sides();
            self.step_solved(moment, phase);
            self.step_pushed(moment, phase);
        }
        phase(Phase::Flow);
        for_each(&mut self.members, &|entry: &mut Box<Entry>| entry.let_flow(moment.config.dt));
        phase(Phase::Fracture);
        for_each(&mut self.members, &|entry: &mut Box<Entry>| entry.look_for_breaks(moment));
        phase(Phase::Update);
    }

    /// Rigid bodies are solved for, unless all others are such as solve nothing.
    fn choose_sides(&mut self) {
        let steppers = || self.members.iter().map(|entry| &entry.stepper);
        let joins = steppers().any(|stepper| matches!(stepper, BodyStepper::Implicit(_)))
            || steppers().all(|stepper| matches!(stepper, BodyStepper::Rigid(_)));
        self.members.iter_mut().for_each(|entry| entry.joins = joins);
    }

    /// Advances those that solve systems, in as many substeps as the one that wants most.
    fn step_solved(&mut self, moment: &Moment<'_>, phase: &mut PhaseTeller<'_>) {
        let Some((substeps, h)) = self.pace(moment, Entry::solves) else { return };
        for substep in 0..substeps {
            let t = moment.time + h * f64::from(substep);
            let part = Substep { t, h, last: substep + 1 == substeps };
            self.gather(moment, Interval { t, h }, Entry::solves, phase);
            self.solve(moment, part, phase);
            self.end_solved(moment, part, phase);
        }
    }

    /// Advances those that solve none, in as many substeps as the one that wants most: what they push
    /// each other with changes the velocities that all else has led to.
    fn step_pushed(&mut self, moment: &Moment<'_>, phase: &mut PhaseTeller<'_>) {
        let pushed = |entry: &Entry| !entry.solves();
        let Some((substeps, h)) = self.pace(moment, pushed) else { return };
        self.touches.restart();
        for substep in 0..substeps {
            let t = moment.time + h * f64::from(substep);
            let part = Substep { t, h, last: substep + 1 == substeps };
            self.gather(moment, Interval { t, h }, pushed, phase);
            self.find_pairs(moment.attachments, h);
            self.push_given(moment.config.dt);
            for entry in self.members.iter_mut().filter(|entry| !entry.solves()) {
                entry.substep(moment, part, phase);
            }
            self.push(h);
            let pushed = self.members.iter_mut().filter(|entry| !entry.solves());
            pushed.for_each(|entry| entry.body.settle_form());
        }
    }

    /// Substeps that all of a kind take together, and their length.
    fn pace(&self, moment: &Moment<'_>, kind: impl Fn(&Entry) -> bool) -> Option<(u32, f64)> {
        let own = self.members.iter().filter(|entry| kind(entry));
        let substeps = own.map(|entry| entry.substeps(moment.config).0).max()?;
        Some((substeps, moment.config.dt / f64::from(substeps)))
    }

    fn gather(
        &mut self,
        moment: &Moment<'_>,
        step: Interval,
        kind: impl Fn(&Entry) -> bool + Sync,
        phase: &mut PhaseTeller<'_>,
    ) {
        phase(Phase::Contact);
        for_each(&mut self.members, &|entry: &mut Box<Entry>| {
            if kind(entry) {
                entry.gather(moment, step, &mut |_| {});
            }
        });
    }

    /// The forces of all touches, and then of all attachments, where their points are now.
    fn find_pairs(&mut self, attachments: &[Option<Attached>], h: f64) {
        let Self { members, touches, pairs, ties, tie_impulses, .. } = self;
        let state = |member: u32| {
            let state = &members[member as usize].body.state;
            (&*state.x, &*state.v)
        };
        pairs.clear();
        touches.push_forces(h, state, pairs);
        for (index, places) in ties {
            if let Some(Some(attached)) = attachments.get(*index as usize) {
                attached.push_pairs(*places, |member| state(member).0, pairs);
            }
        }
        tie_impulses.resize(pairs.len() - touches.list().len(), DVec3::ZERO);
    }

    /// Finds the velocities of all that solve, and the forces of all touches with them.
    fn solve(&mut self, moment: &Moment<'_>, part: Substep, phase: &mut PhaseTeller<'_>) {
        let Substep { t, h, .. } = part;
        self.find_pairs(moment.attachments, h);
        phase(Phase::Assembly);
        for_each(&mut self.members, &|entry: &mut Box<Entry>| entry.open(moment, (t, h)));
        phase(Phase::Solve);
        let Self { members, touches, tie_impulses, pairs, joint, forces, .. } = self;
        let granted = moment.effort.iterations;
        let outcome = joint.solve(members, pairs, h, granted.unwrap_or(u32::MAX));
        joint.forces(members, pairs, h, forces);
        for (index, force) in forces.iter().enumerate() {
            if solved(members, pairs, index) {
                match index.checked_sub(touches.list().len()) {
                    None => touches.note(index, *force, h),
                    Some(tie) => tie_impulses[tie] += h * *force,
                }
            }
        }
        if let Some(first) = members.iter_mut().find(|entry| entry.solves()) {
            let cut = granted.is_some_and(|granted| outcome.iterations >= granted);
            first.note_outcome(&outcome, joint.unknowns(), cut);
            if cut && !outcome.converged {
                members.iter_mut().for_each(|entry| entry.cut_short = true);
            }
        }
    }

    /// Ends a substep: with the velocities that were found, or, for rules of another kind, with their
    /// own way to step under the forces that were found.
    fn end_solved(&mut self, moment: &Moment<'_>, part: Substep, phase: &mut PhaseTeller<'_>) {
        let Self { members, pairs, forces, .. } = self;
        for (index, force) in forces.iter().enumerate() {
            for (side, sign) in (0..2).map(|side| pairs.side(index, side)).zip([1.0, -1.0]) {
                let entry = &mut members[side.member as usize];
                if entry.solves() && !entry.is_shared_whole() {
                    entry.points.push(side.weights.iter().copied(), constant(sign * *force));
                }
            }
        }
        phase(Phase::Update);
        for_each(members, &|entry: &mut Box<Entry>| {
            if entry.solves() && entry.is_shared_whole() {
                entry.close((part.t, part.h));
            }
        });
        let others = members.iter_mut().filter(|entry| entry.solves() && !entry.is_shared_whole());
        others.for_each(|entry| entry.substep(moment, part, phase));
    }

    /// Hands those that solve nothing what those that do have pushed them with, evenly over the step.
    fn push_given(&mut self, dt: f64) {
        let Self { members, touches, tie_impulses, pairs, .. } = self;
        let impulses = touches.list().iter().map(|touch| touch.impulse);
        for (index, impulse) in impulses.chain(tie_impulses.iter().copied()).enumerate() {
            let sides = [0, 1].map(|side| pairs.side(index, side));
            for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
                let [own, other] = [k, 1 - k].map(|s| sides[s].member as usize);
                if !members[own].solves() && members[other].solves() {
                    let force = constant((sign / dt) * impulse);
                    members[own].points.push(sides[k].weights.iter().copied(), force);
                }
            }
        }
    }

    /// Lets the touches among those that solve nothing change their velocities, one after the other, in
    /// rounds until each feels the force that goes with the velocities that all have led to.
    fn push(&mut self, h: f64) {
        self.forces.clear();
        self.forces.resize(self.pairs.len(), DVec3::ZERO);
        for _ in 0..MOST_ROUNDS {
            let (changed, size) = self.push_round(h);
            if changed <= ENOUGH * ENOUGH * size {
                break;
            }
        }
        for (index, force) in self.forces.iter().enumerate() {
            let touches = index < self.touches.list().len();
            if touches && !solved(&self.members, &self.pairs, index) {
                self.touches.note(index, *force, h);
            }
        }
    }

    /// Asks every pair once; returns the squares of the change of all forces and of their size.
    fn push_round(&mut self, h: f64) -> (f64, f64) {
        let Self { members, pairs, forces, .. } = self;
        let (mut changed, mut size) = (0.0, 0.0);
        for (index, felt) in forces.iter_mut().enumerate() {
            if solved(members, pairs, index) {
                continue;
            }
            let sides = [0, 1].map(|side| pairs.side(index, side));
            let [first, second] =
                sides.map(|side| side.blend(&members[side.member as usize].body.state.v));
            let inverse = sides.iter().map(|side| members[side.member as usize].yields(side)).sum();
            let change = implicit_change(pairs.force(index), *felt, first - second, inverse, h);
            let change = if pairs.pulls(index, *felt + change) { -*felt } else { change };
            for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
                members[side.member as usize].kick(&side, (sign * h) * change, h);
            }
            *felt += change;
            changed += change.length_squared();
            size += felt.length_squared();
        }
        (changed, size)
    }
}

/// Nodes from which members are shared out over threads.
const MANY: usize = 256;

/// Calls `work` for all members, side by side if they are large.
fn for_each(members: &mut [Box<Entry>], work: &(impl Fn(&mut Box<Entry>) + Sync)) {
    let nodes = |members: &[Box<Entry>]| -> usize {
        members.iter().map(|entry| entry.body.state.x.len()).sum()
    };
    if members.len() > 1 && nodes(members) > MANY && rayon::current_thread_index().is_some() {
        let (left, right) = members.split_at_mut(members.len() / 2);
        rayon::join(|| for_each(left, work), || for_each(right, work));
    } else {
        members.iter_mut().for_each(work);
    }
}

/// Whether one of the two sides of a pair solves systems.
fn solved(members: &[Box<Entry>], pairs: &PairForces, index: usize) -> bool {
    [0, 1].iter().any(|side| members[pairs.side(index, *side).member as usize].solves())
}

/// A force that does not change.
fn constant(force: DVec3) -> PointForce {
    PointForce { force, stiffness: Mat3::ZERO, damping: Mat3::ZERO }
}
