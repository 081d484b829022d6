//! An island: bodies in contact or attached to each other, which are stepped together.

use glam::DVec3;

use crate::contact::{BodyContact, BodyContacts, FrictionMemory};
use crate::force::{PairForces, PointForce};
use crate::solver::{
    Joint, MAX_POINT_FORCE_ROUNDS, POINT_FORCE_TOLERANCE, Phase, PhaseTeller, implicit_change,
};
use crate::world::attach::attached::Attachments;
use crate::world::contact::key::ContactKey;
use crate::world::context::StepContext;
use crate::world::slot::component::stepper::{BodyStepper, Substep};
use crate::world::slot::slot::BodySlot;
use crate::world::slot::slots::Slots;
use pliant_kernels::math::{Mat3, TimeStep};

use super::step_check::StepCheck;

/// A composite island (Parker & O'Brien 2009, section 4): it owns its bodies while it steps them, so
/// that islands can be stepped in parallel.
#[derive(Debug, Clone, Default)]
pub(crate) struct Island {
    /// Indices of its bodies in the world.
    bodies: Vec<u32>,
    #[expect(
        clippy::vec_box,
        reason = "bodies move in and out in every step; without a box each move would copy them"
    )]
    pub(super) members: Vec<Box<BodySlot>>,
    /// Contacts among them, and the key of each.
    pub(super) touches: BodyContacts,
    keys: Vec<ContactKey>,
    /// Attachments between its members, with the indices of the two members, and the impulses of their springs so
    /// far in this step.
    pub(super) ties: Vec<(u32, [u32; 2])>,
    tie_impulses: Vec<DVec3>,
    pairs: PairForces,
    joint: Joint,
    forces: Vec<DVec3>,
    /// The values with which its step is checked.
    pub(super) check: StepCheck,
    /// The length of the last substep, in s.
    substep: f64,
    /// True if it takes a double step.
    pub(crate) double_step: bool,
}

impl Island {
    /// Starts an island of these bodies, without contacts.
    pub(crate) fn reset(&mut self, bodies: &[u32]) {
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        self.touches.clear();
        self.keys.clear();
        self.ties.clear();
        self.tie_impulses.clear();
        self.pairs.clear();
        self.check.contact_energy = 0.0;
    }

    /// Adds an attachment between two of its members.
    pub(crate) fn add_tie(&mut self, attachment: u32, members: [u32; 2]) {
        self.ties.push((attachment, members));
    }

    /// Adds a contact between two of its members, or between one of them and a kinematic body.
    pub(crate) fn add_touch(
        &mut self,
        key: ContactKey,
        touch: BodyContact,
        first: impl IntoIterator<Item = (u32, f64)>,
        second: impl IntoIterator<Item = (u32, f64)>,
    ) {
        self.keys.push(key);
        self.touches.push(touch, first, second);
    }

    /// Takes its bodies out of the world.
    pub(crate) fn collect(&mut self, slots: &mut Slots) {
        self.members.extend(self.bodies.iter().map(|body| slots.take(*body)));
    }

    /// The friction memory of its contacts, at the end of a step.
    pub(crate) fn friction_memories(&self) -> impl Iterator<Item = (ContactKey, FrictionMemory)> {
        let x = |member: u32| &*self.members[member as usize].body.state.x;
        let friction_memory = move |(index, key): (usize, &ContactKey)| {
            self.touches.friction_memory(index, x).map(|friction_memory| (*key, friction_memory))
        };
        self.keys.iter().enumerate().filter_map(friction_memory)
    }

    /// Bodies and impulse of each contact with a force, in the order of the bodies.
    pub(crate) fn impulses(&self) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        let pushed = self.keys.iter().zip(self.touches.list());
        let pushed = pushed.filter(|(_, touch)| touch.impulse != DVec3::ZERO);
        pushed.map(|([a, b, ..], touch)| {
            // If the first body is kinematic, the first member of the contact is the second body.
            let first = self.bodies[touch.members[0] as usize];
            ([*a, *b], if first == *a { touch.impulse } else { -touch.impulse })
        })
    }

    /// Puts its bodies back into the world.
    pub(crate) fn release(&mut self, slots: &mut Slots) {
        for (body, slot) in self.bodies.iter().zip(self.members.drain(..)) {
            slots.put_back(*body, slot);
        }
    }

    /// Indices of its bodies in the world.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Its bodies.
    pub(crate) fn members(&self) -> impl Iterator<Item = &BodySlot> {
        self.members.iter().map(|slot| &**slot)
    }

    /// The same, to be changed.
    pub(crate) fn members_mut(&mut self) -> impl Iterator<Item = &mut BodySlot> {
        self.members.iter_mut().map(|slot| &mut **slot)
    }

    /// Recovers bodies whose state is not finite, at the end of a step.
    pub(crate) fn finish(&mut self, time: f64) {
        self.members.iter_mut().for_each(|slot| slot.finish(time));
    }

    /// True if there are contacts among its bodies, or with kinematic ones.
    pub(crate) fn has_contacts(&self) -> bool {
        !self.touches.is_empty()
    }

    /// A measure of its work: the number of nodes of all members.
    pub(crate) fn size(&self) -> usize {
        self.members.iter().map(|slot| slot.body.state.x.len()).sum()
    }

    /// Advances its bodies by a step.
    pub(crate) fn step(&mut self, context: &StepContext<'_>, phase: &mut PhaseTeller<'_>) {
        if self.touches.is_empty() && self.ties.is_empty() {
            self.step_carefully(context, phase, Self::step_apart);
        } else {
            self.decide_rigid_members();
            self.step_carefully(context, phase, Self::step_in_joint_solve);
            self.step_outside_joint_solve(context, phase);
        }
        self.guard_energy(context);
        self.resist_rolling(context);
        phase(Phase::Flow);
        for_each(&mut self.members, &|slot: &mut Box<BodySlot>| slot.apply_flow(context.config.dt));
        phase(Phase::Fracture);
        for_each(&mut self.members, &|slot: &mut Box<BodySlot>| slot.look_for_breaks(context));
        phase(Phase::Update);
    }

    /// Decides whether the joint solve includes the rigid members. It does, unless all other members are explicit or position-based.
    fn decide_rigid_members(&mut self) {
        let steppers = || self.members.iter().map(|slot| &slot.stepping.stepper);
        let joins = steppers().any(|stepper| matches!(stepper, BodyStepper::Implicit(_)))
            || steppers().all(|stepper| matches!(stepper, BodyStepper::Rigid(_)));
        self.members.iter_mut().for_each(|slot| slot.joint.solves_rigid = joins);
    }

    /// Advances members that do not touch each other, in `finer` times as many substeps as usual.
    fn step_apart(&mut self, context: &StepContext<'_>, finer: u32, phase: &mut PhaseTeller<'_>) {
        self.check.contact_energy = 0.0;
        for slot in &mut self.members {
            self.check.contact_energy += slot.step_alone(context, finer, phase);
            self.substep = slot.stepping.substeps(context.config).1 / f64::from(finer);
        }
    }

    /// Advances the members in the joint solve, in `finer` times as many substeps as the one with most. It is their step: one of implicit Euler for
    /// every implicit stepper.
    fn step_in_joint_solve(
        &mut self,
        context: &StepContext<'_>,
        finer: u32,
        phase: &mut PhaseTeller<'_>,
    ) {
        for slot in self.members.iter_mut().filter(|slot| !slot.solves()) {
            let BodySlot { joint, body, .. } = &mut **slot;
            joint.mass_only.clear_impulses(body);
        }
        let Some((substeps, h)) = self.pace(context, BodySlot::solves) else { return };
        let (substeps, h) = (finer * substeps, h / f64::from(finer));
        for substep in 0..substeps {
            let t = context.time + h * f64::from(substep);
            let step = TimeStep { t, h };
            let part = Substep { step, last: substep + 1 == substeps };
            self.gather(context, step, BodySlot::solves, phase);
            self.find_pairs(context.attachments, h);
            if substep == 0 {
                self.check.contact_energy = self.energy_in_contacts(h);
            }
            self.solve(context, part, phase);
            self.end_substep(step, phase);
        }
    }

    /// Advances the members outside of the joint solve, in as many substeps as the one with most. Contact forces among them change
    /// the velocities that their own steppers have found.
    fn step_outside_joint_solve(&mut self, context: &StepContext<'_>, phase: &mut PhaseTeller<'_>) {
        let outside = |slot: &BodySlot| !slot.solves();
        let Some((substeps, h)) = self.pace(context, outside) else { return };
        self.touches.restart();
        for substep in 0..substeps {
            let t = context.time + h * f64::from(substep);
            let step = TimeStep { t, h };
            let part = Substep { step, last: substep + 1 == substeps };
            self.gather(context, step, outside, phase);
            self.find_pairs(context.attachments, h);
            self.push_given(context.config.dt);
            for slot in self.members.iter_mut().filter(|slot| !slot.solves()) {
                slot.substep(context, part, phase);
            }
            self.push(h);
            let outside = self.members.iter_mut().filter(|slot| !slot.solves());
            outside.for_each(|slot| slot.body.settle_form());
        }
    }

    /// The common number of substeps of a kind of member, and their length in s.
    fn pace(
        &self,
        context: &StepContext<'_>,
        kind: impl Fn(&BodySlot) -> bool,
    ) -> Option<(u32, f64)> {
        let own = self.members.iter().filter(|slot| kind(slot));
        let substeps = own.map(|slot| slot.stepping.substeps(context.config).0).max()?;
        Some((substeps, context.config.dt / f64::from(substeps)))
    }

    fn gather(
        &mut self,
        context: &StepContext<'_>,
        step: TimeStep,
        kind: impl Fn(&BodySlot) -> bool + Sync,
        phase: &mut PhaseTeller<'_>,
    ) {
        self.substep = step.h;
        phase(Phase::Contact);
        for_each(&mut self.members, &|slot: &mut Box<BodySlot>| {
            if kind(slot) {
                slot.gather(context, step, &mut |_| {});
            }
        });
    }

    /// The energy that all contacts can give back from the present positions in steps of `h`, in J.
    fn energy_in_contacts(&self, h: f64) -> f64 {
        let points = self.members().map(|slot| slot.energy_in_contacts(h));
        // Bodies outside the joint solve meet contacts in their own steps, too.
        let is_mixed = self.members().any(|slot| !slot.solves());
        let mass = |member: u32| {
            if is_mixed { f64::INFINITY } else { self.members[member as usize].body.model().mass() }
        };
        self.pairs.energy_in_contacts(h, mass) + points.sum::<f64>()
    }

    /// The same at the end of the last substep.
    pub(super) fn contact_energy_at_end(&self) -> f64 {
        let h = self.substep;
        let points = self.members().map(|slot| {
            slot.loads.points.energy_after(slot.body.model().mass(), h, &slot.body.state.v)
        });
        let v = |member: u32| &*self.members[member as usize].body.state.v;
        let mass = |member: u32| self.members[member as usize].body.model().mass();
        self.pairs.energy_after(h, v, mass) + points.sum::<f64>()
    }

    /// Forgets the impulses of attachments.
    pub(super) fn forget_ties(&mut self) {
        self.tie_impulses.fill(DVec3::ZERO);
    }

    /// Finds the forces of all contacts, and then of all attachments, at the present positions.
    fn find_pairs(&mut self, attachments: &Attachments, h: f64) {
        let Self { members, touches, pairs, ties, tie_impulses, .. } = self;
        let state = |member: u32| {
            let state = &members[member as usize].body.state;
            (&*state.x, &*state.v)
        };
        pairs.clear();
        touches.push_forces(h, state, pairs);
        for (index, places) in ties {
            if let Some(attached) = attachments.get(*index) {
                attached.push_pairs(*places, |member| state(member).0, pairs);
            }
        }
        tie_impulses.resize(pairs.len() - touches.list().len(), DVec3::ZERO);
    }

    /// Solves for the velocities of the members and the forces of their contacts.
    fn solve(&mut self, context: &StepContext<'_>, part: Substep, phase: &mut PhaseTeller<'_>) {
        let h = part.step.h;
        phase(Phase::Assembly);
        for_each(&mut self.members, &|slot: &mut Box<BodySlot>| slot.open(context, part.step));
        phase(Phase::Solve);
        let Self { members, touches, tie_impulses, pairs, joint, forces, .. } = self;
        let granted = context.limits.iterations;
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
        give_impulses(members, pairs, forces, h);
        if let Some(first) = members.iter_mut().find(|slot| slot.solves()) {
            let cut = granted.is_some_and(|granted| outcome.iterations >= granted);
            first.record_outcome(&outcome, joint, cut);
            if cut && !outcome.converged {
                members.iter_mut().for_each(|slot| slot.joint.cut_short = true);
            }
        }
    }

    /// Ends a substep with the velocities of the joint solve.
    fn end_substep(&mut self, step: TimeStep, phase: &mut PhaseTeller<'_>) {
        phase(Phase::Update);
        for_each(&mut self.members, &|slot: &mut Box<BodySlot>| {
            if slot.solves() {
                slot.close(step);
            }
        });
    }

    /// Applies the impulses of the joint solve to the members outside of it, evenly over the step.
    fn push_given(&mut self, dt: f64) {
        for slot in self.members.iter_mut().filter(|slot| !slot.solves()) {
            let BodySlot { joint, loads, .. } = &mut **slot;
            for (node, impulse) in joint.mass_only.impulses() {
                loads.points.push([(node, 1.0)], constant(impulse / dt));
            }
        }
    }

    /// Applies the contacts among members outside of the joint solve to their velocities, one after the other, in
    /// rounds until the forces agree with the velocities.
    fn push(&mut self, h: f64) {
        self.forces.clear();
        self.forces.resize(self.pairs.len(), DVec3::ZERO);
        for _ in 0..MAX_POINT_FORCE_ROUNDS {
            let (changed, size) = self.push_round(h);
            if changed <= POINT_FORCE_TOLERANCE * POINT_FORCE_TOLERANCE * size {
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

    /// Applies every pair once; returns the squares of the change of all forces and of their size.
    fn push_round(&mut self, h: f64) -> (f64, f64) {
        let Self { members, pairs, forces, .. } = self;
        let (mut changed, mut size) = (0.0, 0.0);
        for (index, force) in forces.iter_mut().enumerate() {
            if solved(members, pairs, index) {
                continue;
            }
            let sides = [0, 1].map(|side| pairs.side(index, side));
            let [first, second] =
                sides.map(|side| side.blend(&members[side.member as usize].body.state.v));
            let inverse =
                sides.iter().map(|side| members[side.member as usize].inverse_mass(side)).sum();
            let change = implicit_change(pairs.force(index), *force, first - second, inverse, h);
            let change = if pairs.pulls(index, *force + change) { -*force } else { change };
            for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
                members[side.member as usize].apply_impulse(&side, (sign * h) * change, h);
            }
            *force += change;
            changed += change.length_squared();
            size += force.length_squared();
        }
        (changed, size)
    }
}

/// Gives the impulses of the contacts and attachments in a joint solve to the members outside of it.
fn give_impulses(members: &mut [Box<BodySlot>], pairs: &PairForces, forces: &[DVec3], h: f64) {
    for (index, force) in forces.iter().enumerate() {
        if !solved(members, pairs, index) {
            continue;
        }
        for (side, sign) in (0..2).map(|side| pairs.side(index, side)).zip([h, -h]) {
            let slot = &mut members[side.member as usize];
            if !slot.solves() {
                slot.joint.mass_only.add_impulse(side.weights, sign * *force);
            }
        }
    }
    for slot in members.iter_mut().filter(|slot| !slot.solves()) {
        let BodySlot { joint, body, .. } = &mut **slot;
        joint.mass_only.close(body);
    }
}

/// The least number of nodes of members that are worked on in parallel.
const PARALLEL_NODES: usize = 256;

/// Calls `work` for all members, in parallel if they are large.
fn for_each(members: &mut [Box<BodySlot>], work: &(impl Fn(&mut Box<BodySlot>) + Sync)) {
    let nodes = |members: &[Box<BodySlot>]| -> usize {
        members.iter().map(|slot| slot.body.state.x.len()).sum()
    };
    if members.len() > 1
        && nodes(members) > PARALLEL_NODES
        && rayon::current_thread_index().is_some()
    {
        let (left, right) = members.split_at_mut(members.len() / 2);
        rayon::join(|| for_each(left, work), || for_each(right, work));
    } else {
        members.iter_mut().for_each(work);
    }
}

/// True if the joint solve includes one of the two sides of a pair.
fn solved(members: &[Box<BodySlot>], pairs: &PairForces, index: usize) -> bool {
    [0, 1].iter().any(|side| members[pairs.side(index, *side).member as usize].solves())
}

/// A force that does not change.
fn constant(force: DVec3) -> PointForce {
    PointForce { force, stiffness: Mat3::ZERO, damping: Mat3::ZERO }
}
