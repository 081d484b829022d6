//! A body of a world, with all that steps it.

use glam::DVec3;

use crate::body::{Body, Motion, Pull, State};
use crate::contact::{Collider, ContactConfig, Interval, Obstacle, ObstacleContact};
use crate::force::{PointForce, PointForces};
use crate::fracture::Fracture;
use crate::island::Rest;
use crate::math::Mat3;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::plasticity::{Flow, FlowReport};
use crate::solver::{
    LinearReport, MethodConfig, MethodError, PhaseTeller, Stepper, SweepReport, stable_step,
};

use super::body_stepper::{BodyStepper, Substep};
use super::bystander::Bystander;
use super::debris::Presence;
use super::leap::Leap;
use super::moment::Moment;
use super::skin_loads::SkinLoads;
use super::{FractureConfig, WorldConfig};

/// Share of the stable step that is used: stiffness grows where a body is squeezed.
const SAFETY: f64 = 0.5;

/// More substeps than this are not taken in one step.
const MOST_SUBSTEPS: u32 = 100_000;

/// Substeps of a position-based body of which nothing is said.
const XPBD_SUBSTEPS: u32 = 20;

/// A body with what steps it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) body: Body,
    pub(super) method: MethodConfig,
    pub(super) stepper: BodyStepper,
    /// Longest stable step at rest, in s; none for a stepper without a limit.
    pub(super) stable: Option<f64>,
    /// The last state that was finite, to go back to.
    pub(super) last: State,
    /// Whether the last step led from there to numbers that are not finite.
    failed: bool,
    /// How it touches others.
    pub(super) touch: ContactConfig,
    /// Where it meets obstacles, once there are any.
    pub(super) contact: Option<ObstacleContact>,
    /// Its skin on its way, once there is something to meet.
    pub(super) collider: Option<Collider>,
    /// Whether that is not where it is: since it was stepped, changed or restored.
    pub(super) astray: bool,
    /// Whether it has just been put where it is: what it overlaps then, it gets out of slowly.
    pub(super) fresh: bool,
    /// Time since it flowed last, in s, if it has since it was annealed.
    pub(super) since_flow: Option<f64>,
    /// A ball about its skin, middle and radius, in m; while it sleeps and someone wanted to know.
    pub(super) ball: Option<(DVec3, f64)>,
    /// One over the masses of its nodes, zero for those that are pinned; once someone wants to know.
    pub(super) inverse_masses: Vec<f64>,
    /// Where the vertices of a skin end that is carried.
    pub(super) ends: Vec<DVec3>,
    /// What acts on its skin from outside.
    pub(super) loads: SkinLoads,
    /// What obstacles, pulls and loads do to it in a substep.
    pub(super) points: PointForces,
    /// What it is to a joint solve that it has no unknowns in.
    pub(super) bystander: Bystander,
    /// Whether it touched an obstacle in the last substep.
    pub(super) leans: bool,
    /// Whether a rigid body takes part in the joint solve of its island.
    pub(super) joins: bool,
    /// Lets its matter flow.
    flow: Flow,
    /// Finds where it comes apart.
    pub(super) fracture: Fracture,
    /// Whether it takes part in the world.
    pub(super) presence: Presence,
    /// Which of all bodies and pieces that were ever made it is.
    pub(super) version: u64,
    /// The place of the body that it was, or is a piece of, among the [roots](super::root::Root) of the world.
    pub(super) root: u32,
    /// Whether its solve together with others was cut short in this step: what they push each other with may be far off.
    pub(super) cut_short: bool,
    /// Two steps that it has taken at once.
    pub(super) leap: Leap,
    /// How long it has lain still.
    pub(super) rest: Rest,
    /// What the last step did to it.
    pub(super) report: BodyReport,
}

/// What a step did to one body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BodyReport {
    /// Whether it had to be set back.
    pub(super) reset: bool,
    /// How its linear solves went.
    pub(super) linear: LinearReport,
    /// How its sweeps went.
    pub(super) sweeps: SweepReport,
    /// How much of its matter flowed.
    pub(super) flow: FlowReport,
}

impl Entry {
    /// A body and a method that was checked for it.
    pub(super) fn new(body: Body, method: MethodConfig) -> Result<Self, MethodError> {
        let stepper = BodyStepper::new(&body, &method).map_err(MethodError::Factor)?;
        // Finding the stable step costs as much as a hundred steps: not for who needs none.
        let stable = method.stepper.is_explicit().then(|| stable_step(body.model()));
        let last = State::at_rest(&body.model().mesh().nodes);
        let since_flow = body.model().has_flowed().then_some(0.0);
        let (contact, points) = (None, PointForces::default());
        let bystander = Bystander::of(&body);
        let (failed, rest, report) = (false, Rest::default(), BodyReport::default());
        Ok(Self {
            body,
            method,
            stepper,
            stable,
            last,
            failed,
            touch: ContactConfig::default(),
            contact,
            collider: None,
            inverse_masses: Vec::new(),
            ends: Vec::new(),
            astray: false,
            fresh: true,
            since_flow,
            ball: None,
            loads: SkinLoads::default(),
            points,
            bystander,
            leans: false,
            joins: false,
            flow: Flow::default(),
            fracture: Fracture::default(),
            presence: Presence::Here,
            version: 0,
            root: 0,
            cut_short: false,
            leap: Leap::default(),
            rest,
            report,
        })
    }

    /// Whether it moves as prescribed, whatever touches it.
    pub(super) fn is_kinematic(&self) -> bool {
        self.body.unknowns().count() == 0 || self.presence != Presence::Here
    }

    /// Gathers the forces of all pulls in a substep.
    fn find_pulls(&mut self, step: Interval) {
        let rest = self.body.anchors();
        for pull in self.body.springs() {
            let nodes = pull.point.nodes.iter().copied();
            let weights = nodes.zip(pull.point.weights.iter().copied());
            let here = pull.point.position(&self.body.state.x);
            self.points.push(weights, force_of(pull, rest, here, step));
        }
    }

    /// Refuses an explicit stepper that would need more substeps than are taken.
    pub(super) fn check_pace(&self, config: &WorldConfig) -> Result<(), MethodError> {
        let given = self.method.substeps.or(config.substeps);
        let (Some(stable), None) = (self.stable, given) else { return Ok(()) };
        let substeps = (config.dt / (SAFETY * stable)).ceil();
        if self.method.stepper.is_explicit() && substeps > f64::from(MOST_SUBSTEPS) {
            let (dt, most) = (config.dt, MOST_SUBSTEPS);
            return Err(MethodError::TooStiff { stable, dt, substeps, most });
        }
        Ok(())
    }

    /// How many substeps the body takes in a step, and how long they are, in s.
    pub(super) fn substeps(&self, config: &WorldConfig) -> (u32, f64) {
        let WorldConfig { dt, substeps, .. } = *config;
        let substeps = self.method.substeps.or(substeps);
        let (None, Some(stable)) = (substeps, self.stable) else {
            let usual = if self.method.stepper == Stepper::Xpbd { XPBD_SUBSTEPS } else { 1 };
            let count = substeps.unwrap_or(usual);
            return (count, dt / f64::from(count));
        };
        let longest = SAFETY * stable;
        // A count that is not a number (a body of no stiffness) becomes one substep.
        let count = ((dt / longest).ceil().clamp(1.0, f64::from(MOST_SUBSTEPS)) as u32).max(1);
        (count, (dt / f64::from(count)).min(longest))
    }

    /// Gets ready for a step that begins at `time`.
    pub(super) fn begin(&mut self, time: f64) {
        self.cut_short = false;
        if self.is_leaping() {
            self.report = BodyReport::default();
            return;
        }
        self.report = BodyReport { reset: self.note_or_set_back(time), ..BodyReport::default() };
    }

    /// Advances the body by all substeps of a step, by itself.
    pub(super) fn step_alone(&mut self, moment: &Moment<'_>, phase: &mut PhaseTeller<'_>) {
        let (substeps, h) = self.substeps(moment.config);
        for substep in 0..substeps {
            let t = moment.time + h * f64::from(substep);
            self.gather(moment, Interval { t, h }, phase);
            self.substep(moment, Substep { t, h, last: substep + 1 == substeps }, phase);
        }
    }

    /// Gathers what pulls, loads and obstacles do in a substep.
    pub(super) fn gather(
        &mut self,
        moment: &Moment<'_>,
        step: Interval,
        phase: &mut PhaseTeller<'_>,
    ) {
        self.points.clear();
        self.find_pulls(step);
        self.push_loads();
        self.find_touches(moment, step, phase);
    }

    /// Advances the body by a substep with the forces on points that are gathered.
    pub(super) fn substep(
        &mut self,
        moment: &Moment<'_>,
        part: Substep,
        phase: &mut PhaseTeller<'_>,
    ) {
        let Self { stepper, body, method, points, .. } = self;
        let external = moment.external(points);
        stepper.grant(moment.effort.iterations.unwrap_or(u32::MAX));
        let (solves, swept) = stepper.substep(body, part, external, method, phase);
        self.report.linear.add_step(&solves);
        self.report.sweeps.add_step(&swept);
    }

    /// Makes what steps it anew: it rests in another shape.
    pub(super) fn renew_stepper(&mut self) -> Result<(), MethodError> {
        self.stepper = BodyStepper::new(&self.body, &self.method).map_err(MethodError::Factor)?;
        self.stable = self.method.stepper.is_explicit().then(|| stable_step(self.body.model()));
        self.inverse_masses.clear();
        self.fracture.forget();
        Ok(())
    }

    /// Looks where it comes apart, at the end of a step.
    pub(super) fn look_for_breaks(&mut self, moment: &Moment<'_>) {
        if self.fracture.waited() > 0 {
            return;
        }
        let FractureConfig { every, seed, .. } = moment.config.fracture;
        let mut steps = moment.steps.clone();
        let due = steps.any(|step| step.is_multiple_of(u64::from(every)));
        if due && !self.cut_short && self.body.model().is_breakable() {
            self.fracture.look(&self.body, seed.wrapping_add(moment.time.to_bits()));
        } else {
            self.fracture.find_none();
        }
    }

    /// Lets its matter flow for `h` seconds, at the end of a step.
    pub(super) fn let_flow(&mut self, h: f64) {
        self.report.flow = self.flow.step(&mut self.body, h);
        if self.report.flow.points > 0 {
            self.stepper.follow_flow(&self.body);
            self.since_flow = Some(0.0);
        }
    }

    /// Whether it has flowed, and not any more for the last so many seconds, of which `dt` pass now. Says so once.
    pub(super) fn has_stopped_flowing(&mut self, after: f64, dt: f64) -> bool {
        self.since_flow = self.since_flow.map(|since| since + dt);
        self.since_flow.take_if(|since| *since >= after).is_some()
    }

    /// Sets the body back if its numbers are no longer finite, at the end of a step.
    pub(super) fn finish(&mut self, time: f64) {
        let broke = !self.body.state.is_finite();
        if broke {
            self.set_back(time);
        }
        self.failed = broke;
        self.report.reset |= broke;
        (self.astray, self.fresh) = (true, false);
    }

    /// Counts a step in which it lay still, or moved.
    pub(super) fn count_rest(&mut self, speed: f64) {
        self.rest.count(&self.body.state.v, speed);
    }

    /// Falls asleep, with no velocity left.
    pub(super) fn sleep(&mut self, group: u32) {
        self.rest.sleep(group);
        self.body.state.v.fill(DVec3::ZERO);
        self.last.clone_from(&self.body.state);
        (self.report, self.astray, self.ball) = (BodyReport::default(), true, None);
    }

    /// Whether pins, pulls or obstacles that it may touch move between two times.
    pub(super) fn is_driven(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        let moves =
            |motion: &Motion| !motion.ramps.is_empty() && motion.pose(from) != motion.pose(to);
        self.body.pins().iter().any(|pin| moves(&pin.motion))
            || self.body.springs().any(|pull| moves(&pull.motion))
            || self.is_reached(obstacles, from, to)
    }

    /// Notes the state if it is finite; otherwise sets the body back and returns true.
    pub(super) fn note_or_set_back(&mut self, time: f64) -> bool {
        if self.body.state.is_finite() {
            self.last.clone_from(&self.body.state);
            return false;
        }
        self.set_back(time);
        true
    }

    /// Sets the body back to its last finite state, at rest; to the shape of its model if a step
    /// from there has failed before.
    fn set_back(&mut self, time: f64) {
        if self.failed {
            self.last.x.clone_from(&self.body.model().mesh().nodes);
            self.body.move_pins(time, &mut self.last.x);
        }
        self.last.v.fill(DVec3::ZERO);
        self.body.state.clone_from(&self.last);
        // What it held on to may be as little a number as its state was.
        self.let_go();
    }

    /// The degree that the interpolation has at each node now.
    pub(super) fn degrees(&self) -> Vec<u8> {
        self.stepper.degrees(self.body.model().mesh())
    }
}

/// All that changes of a body and of what steps it.
impl Persist for Entry {
    fn save(&self, to: &mut Writer) {
        self.body.save(to);
        self.last.save(to);
        to.flag(self.failed);
        self.touch.save(to);
        to.flag(self.fresh);
        self.rest.save(to);
        self.leap.save(to);
        to.u8(self.presence as u8);
        to.flag(self.since_flow.is_some());
        to.f64(self.since_flow.unwrap_or(0.0));
        let holding = self.contact.as_ref().filter(|contact| contact.holds());
        to.flag(holding.is_some());
        if let Some(contact) = holding {
            contact.save(to);
        }
        self.loads.save(to);
        self.fracture.save(to);
        self.stepper.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let shape = self.body.model().mesh().nodes.as_ptr();
        self.body.load(from)?;
        if self.body.model().mesh().nodes.as_ptr() != shape {
            self.renew_stepper().map_err(|_| from.bad("a shape that it can be stepped in"))?;
        }
        self.stepper.follow_flow(&self.body);
        self.last.load(from)?;
        if !self.last.is_finite() {
            return Err(from.bad("a finite state"));
        }
        self.failed = from.flag()?;
        self.touch.load(from)?;
        self.fresh = from.flag()?;
        self.rest.load(from)?;
        self.leap.make_room(self.body.state.x.len());
        self.leap.load(from)?;
        self.presence = match from.u8()? {
            0 => Presence::Here,
            1 => Presence::Frozen,
            2 => Presence::Gone,
            _ => return Err(from.bad("whether a body is there")),
        };
        let (flowed, since) = (from.flag()?, from.f64()?);
        self.since_flow = flowed.then_some(since);
        self.load_contact(from)?;
        self.load_loads(from)?;
        self.fracture.load(from)?;
        let count = self.body.model().mesh().nodes.len();
        if self.fracture.openings().iter().any(|opening| opening.node as usize >= count) {
            return Err(from.bad("a node of its own"));
        }
        (self.report, self.astray, self.ball) = (BodyReport::default(), true, None);
        self.stepper.load(self.body.model(), from)
    }
}

/// The force of a pull on its point, which is `here`, towards where its target is at the end of a step.
fn force_of(pull: &Pull, rest: &[DVec3], here: DVec3, Interval { t, h }: Interval) -> PointForce {
    let (before, after) = (pull.target(rest, t), pull.target(rest, t + h));
    let force = pull.stiffness * (after - here) + pull.damping * ((after - before) / h);
    let (stiffness, damping) = (Mat3::IDENTITY * pull.stiffness, Mat3::IDENTITY * pull.damping);
    PointForce { force, stiffness, damping }
}
