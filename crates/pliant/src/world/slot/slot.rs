//! A body of a world, with everything that steps it.

use std::sync::Arc;

use glam::DVec3;

use crate::body::{Body, Motion, Pull};
use crate::contact::Obstacle;
use crate::force::PointForce;
use crate::fracture::Fracture;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::plasticity::FlowReport;
use crate::sleep::SleepState;
use crate::solver::{LinearReport, MethodConfig, MethodError, PhaseTeller, SweepReport};
use crate::world::config::FractureConfig;
use crate::world::context::StepContext;
use pliant_kernels::math::{Mat3, TimeStep};

use super::component::contact::SlotContact;
use super::component::double_step::DoubleStep;
use super::component::flow::SlotFlow;
use super::component::identity::{Identity, Presence};
use super::component::joint::JointRole;
use super::component::loads::SlotLoads;
use super::component::start_state::StartState;
use super::component::stepper::Substep;
use super::component::stepping::Stepping;

/// A body with its components: one struct for each duty.
#[derive(Debug, Clone)]
pub(crate) struct BodySlot {
    pub(crate) body: Body,
    pub(crate) stepping: Stepping,
    pub(crate) start_state: StartState,
    pub(crate) contact: SlotContact,
    pub(crate) loads: SlotLoads,
    pub(crate) joint: JointRole,
    pub(crate) flow: SlotFlow,
    pub(crate) fracture: Fracture,
    pub(crate) sleep: SleepState,
    pub(crate) double_step: DoubleStep,
    pub(crate) identity: Identity,
    /// The outcome of the last step.
    pub(crate) report: BodyReport,
}

/// The outcome of a step for one body.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BodyReport {
    /// True if the body was returned to its last finite state, or to its shape.
    pub(crate) reset: bool,
    /// Sums over its linear solves.
    pub(crate) linear: LinearReport,
    /// Sums over its constraint sweeps.
    pub(crate) sweeps: SweepReport,
    /// Its plastic flow.
    pub(crate) flow: FlowReport,
}

impl BodySlot {
    /// A body and a method that was checked for it.
    pub(crate) fn new(body: Body, method: MethodConfig) -> Result<Self, MethodError> {
        Ok(Self {
            stepping: Stepping::new(&body, method)?,
            start_state: StartState::new(&body),
            contact: SlotContact::default(),
            loads: SlotLoads::default(),
            joint: JointRole::new(&body),
            flow: SlotFlow::new(&body),
            fracture: Fracture::default(),
            sleep: SleepState::default(),
            double_step: DoubleStep::default(),
            identity: Identity::default(),
            report: BodyReport::default(),
            body,
        })
    }

    /// True if its components, which have not stepped yet, serve `body` as well: the same body in another state.
    pub(crate) fn fits(&self, body: &Body, method: &MethodConfig) -> bool {
        let (own, model) = (&self.body, body.model());
        let independent_of_state = !model.is_rigid() && !model.is_plastic();
        let unused = self.contact.just_placed && self.stepping.method == *method;
        independent_of_state
            && unused
            && Arc::ptr_eq(own.model(), model)
            && own.pins() == body.pins()
    }

    /// True if nothing can change its motion: it is prescribed, or the body takes no part any more.
    pub(crate) fn is_kinematic(&self) -> bool {
        self.body.unknowns().count() == 0 || self.identity.presence != Presence::Active
    }

    /// True if it has not faded.
    pub(crate) fn is_present(&self) -> bool {
        self.identity.presence != Presence::Gone
    }

    /// Removes it from contact and from all later steps.
    pub(crate) fn fade(&mut self) {
        self.identity.presence = Presence::Gone;
        self.sleep.sleep(u32::MAX);
        self.contact.drop_skin();
    }

    /// Prepares a step that begins at `time`.
    pub(crate) fn begin(&mut self, time: f64) {
        self.joint.cut_short = false;
        self.report = BodyReport::default();
        if self.contact.just_placed && self.body.model().is_plastic() {
            // A caller may have given the body a state with another flow.
            self.stepping.stepper.follow_flow(&self.body);
        }
        if !self.double_step.is_under_way() {
            self.report.reset = self.store_or_recover(time);
        }
    }

    /// Advances the body by all substeps of a step, without others, in `finer` times as many as usual. Returns the energy in its contacts at the
    /// start, in J.
    pub(crate) fn step_alone(
        &mut self,
        context: &StepContext<'_>,
        finer: u32,
        phase: &mut PhaseTeller<'_>,
    ) -> f64 {
        let (substeps, h) = self.stepping.substeps(context.config);
        let (substeps, h) = (finer * substeps, h / f64::from(finer));
        let mut in_contacts = 0.0;
        for substep in 0..substeps {
            let step = TimeStep { t: context.time + h * f64::from(substep), h };
            self.gather(context, step, phase);
            if substep == 0 {
                in_contacts = self.energy_in_contacts(h);
            }
            self.substep(context, Substep { step, last: substep + 1 == substeps }, phase);
        }
        in_contacts
    }

    /// Gathers the point forces of pulls, loads and obstacles in a substep.
    pub(crate) fn gather(
        &mut self,
        context: &StepContext<'_>,
        step: TimeStep,
        phase: &mut PhaseTeller<'_>,
    ) {
        self.note_touches(step.t > context.time);
        self.loads.points.clear();
        self.gather_pulls(step);
        self.gather_skin_loads();
        self.gather_obstacle_contacts(context, step, phase);
    }

    /// Notes the impulses of obstacles in the substep that was just taken, if there was one in this step.
    fn note_touches(&mut self, was_taken: bool) {
        if let Some(contact) = &mut self.contact.obstacles {
            match was_taken {
                true => contact.touches.end_substep(&self.loads.points, &self.body.state),
                false => contact.touches.begin_step(),
            }
        }
    }

    /// Gathers the forces of all pulls in a substep.
    fn gather_pulls(&mut self, step: TimeStep) {
        let rest = self.body.anchors();
        for pull in self.body.springs() {
            let nodes = pull.point.nodes.iter().copied();
            let weights = nodes.zip(pull.point.weights.iter().copied());
            let here = pull.point.position(&self.body.state.x);
            self.loads.points.push(weights, pull_force(pull, rest, here, step));
        }
    }

    /// Advances the body by a substep under the point forces that were gathered.
    pub(crate) fn substep(
        &mut self,
        context: &StepContext<'_>,
        part: Substep,
        phase: &mut PhaseTeller<'_>,
    ) {
        let Self { stepping: Stepping { method, stepper, .. }, body, loads, .. } = self;
        let external = context.external(&loads.points);
        stepper.grant(context.limits.iterations.unwrap_or(u32::MAX));
        let (solves, swept) = stepper.substep(body, part, external, method, phase);
        self.report.linear.add_step(&solves);
        self.report.sweeps.add_step(&swept);
    }

    /// Makes the stepper anew after a change of the rest shape.
    pub(crate) fn renew_stepper(&mut self) -> Result<(), MethodError> {
        self.stepping = Stepping::new(&self.body, self.stepping.method)?;
        self.contact.forget_masses();
        self.fracture.forget();
        Ok(())
    }

    /// Looks for points where the body breaks, at the end of a step.
    pub(crate) fn look_for_breaks(&mut self, context: &StepContext<'_>) {
        if self.fracture.waited() > 0 {
            return;
        }
        let FractureConfig { every, seed, .. } = context.config.fracture;
        let mut steps = context.steps.clone();
        let due = steps.any(|step| step.is_multiple_of(u64::from(every)));
        if due && !self.joint.cut_short && self.body.model().is_breakable() {
            self.fracture.look(&self.body, seed.wrapping_add(context.time.to_bits()));
        } else {
            self.fracture.find_none();
        }
    }

    /// Applies plastic flow over `h` seconds, at the end of a step.
    pub(crate) fn apply_flow(&mut self, h: f64) {
        self.report.flow = self.flow.step(&mut self.body, h);
        if self.report.flow.points > 0 {
            self.stepping.stepper.follow_flow(&self.body);
        }
    }

    /// Recovers the body if its state is not finite, at the end of a step.
    pub(crate) fn finish(&mut self, time: f64) {
        let failed = !self.body.state.is_finite();
        self.note_touches(!failed);
        if failed {
            self.contact.obstacles.iter_mut().for_each(|contact| contact.touches.clear());
            self.recover(time);
        }
        self.start_state.record(failed);
        self.report.reset |= failed;
        self.contact.make_stale();
        self.contact.just_placed = false;
    }

    /// Puts it to sleep in a group, without velocity.
    pub(crate) fn fall_asleep(&mut self, group: u32) {
        self.sleep.sleep(group);
        self.body.state.v.fill(DVec3::ZERO);
        self.start_state.store(&self.body.state);
        self.report = BodyReport::default();
        self.contact.moved();
    }

    /// Puts it to sleep in a group where the step began. Continuous contact has yet to correct the end of the step, and a body that sleeps is not
    /// moved.
    pub(crate) fn fall_asleep_at_start(&mut self, group: u32) {
        self.start_state.state.restore(&mut self.body.state);
        self.fall_asleep(group);
    }

    /// True if pins, pulls or obstacles near it move between two times.
    pub(crate) fn is_driven(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        let moves = |motion: &Motion| motion.moves_between(from, to);
        self.body.pins().iter().any(|pin| moves(&pin.motion))
            || self.body.springs().any(|pull| moves(&pull.motion))
            || self.contact.is_reached(&self.body, obstacles, from, to)
    }

    /// Stores the state if it is finite; otherwise recovers the body and returns true.
    pub(crate) fn store_or_recover(&mut self, time: f64) -> bool {
        if self.body.state.is_finite() {
            self.start_state.store(&self.body.state);
            return false;
        }
        self.recover(time);
        true
    }

    /// Returns to the shape of its model, at rest: its rule cannot leave the present one.
    pub(crate) fn give_up(&mut self, time: f64) {
        self.start_state.record(true);
        self.recover(time);
        self.stepping.energy.forget();
        self.stepping.energy.gives_up(false);
        self.report.reset = true;
    }

    /// Returns to the last finite state, at rest.
    fn recover(&mut self, time: f64) {
        self.start_state.recover(&mut self.body, time);
        // Friction may remember values that are not finite either.
        self.contact.release_obstacles();
    }

    /// The degree of the interpolation at each node now.
    pub(crate) fn degrees(&self) -> Vec<u8> {
        self.stepping.stepper.degrees(self.body.model().mesh())
    }
}

/// All that changes of a body and its components.
impl Persist for BodySlot {
    fn save(&self, to: &mut Writer) {
        self.body.save(to);
        self.start_state.save(to);
        self.contact.config.save(to);
        to.flag(self.contact.just_placed);
        self.sleep.save(to);
        self.double_step.save(to);
        to.u8(self.identity.presence as u8);
        self.flow.save(to);
        self.contact.save_friction(to);
        self.loads.skin.save(to);
        self.fracture.save(to);
        self.stepping.energy.save(to);
        self.stepping.stepper.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let model = self.body.model().clone();
        self.body.load(from)?;
        if !Arc::ptr_eq(self.body.model(), &model) {
            self.renew_stepper().map_err(|_| from.bad("a shape that its method can step"))?;
        }
        self.stepping.stepper.follow_flow(&self.body);
        self.start_state.load(from)?;
        self.contact.config.load(from)?;
        self.contact.just_placed = from.flag()?;
        self.sleep.load(from)?;
        self.double_step.make_room(self.body.state.x.len());
        self.double_step.load(from)?;
        self.identity.presence = Presence::read(from)?;
        self.flow.load(from)?;
        self.load_friction(from)?;
        self.load_skin_loads(from)?;
        self.fracture.load(from)?;
        let count = self.body.model().mesh().nodes.len();
        if self.fracture.openings().iter().any(|opening| opening.node as usize >= count) {
            return Err(from.bad("a node of its own"));
        }
        self.report = BodyReport::default();
        self.contact.moved();
        self.stepping.energy.load(from)?;
        self.stepping.stepper.load(self.body.model(), from)
    }
}

/// The force of a pull on its point at `here`, towards its target at the end of a step.
fn pull_force(pull: &Pull, rest: &[DVec3], here: DVec3, TimeStep { t, h }: TimeStep) -> PointForce {
    let (before, after) = (pull.target(rest, t), pull.target(rest, t + h));
    let force = pull.stiffness * (after - here) + pull.damping * ((after - before) / h);
    let (stiffness, damping) = (Mat3::IDENTITY * pull.stiffness, Mat3::IDENTITY * pull.damping);
    PointForce { force, stiffness, damping }
}
