//! A body of a world, with all that steps it.

use std::sync::Arc;

use glam::DVec3;

use crate::body::{Body, Motion, Pull, State};
use crate::contact::{
    Carried, Collider, ContactConfig, Facets, Feature, Grip, Interval, Moved, Obstacle,
    ObstacleContact, Reach, SafeSurface, VertexLaw,
};
use crate::force::{PointForce, PointForces};
use crate::geometry::Aabb;
use crate::island::Rest;
use crate::math::Mat3;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::{
    LinearReport, MethodConfig, MethodError, Phase, PhaseTeller, Stepper, SweepReport, stable_step,
};

use super::WorldConfig;
use super::body_stepper::{BodyStepper, Substep};
use super::member::Bystander;
use super::moment::Moment;

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
    last: State,
    /// Whether the last step led from there to numbers that are not finite.
    failed: bool,
    /// How it touches others.
    pub(super) touch: ContactConfig,
    /// Where it meets obstacles, once there are any.
    contact: Option<ObstacleContact>,
    /// Its skin on its way, once there is something to meet.
    collider: Option<Collider>,
    /// Whether that is not where it is: since it fell asleep, or was restored.
    astray: bool,
    /// One over the masses of its nodes, zero for those that are pinned; once someone wants to know.
    inverse_masses: Vec<f64>,
    /// Where the vertices of a skin end that is carried.
    ends: Vec<DVec3>,
    /// What obstacles and pulls do to it in a substep.
    pub(super) points: PointForces,
    /// What it is to a joint solve that it has no unknowns in.
    pub(super) bystander: Bystander,
    /// Whether it touched an obstacle in the last substep.
    pub(super) leans: bool,
    /// Whether a rigid body takes part in the joint solve of its island.
    pub(super) joins: bool,
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
}

impl Entry {
    /// A body and a method that was checked for it.
    pub(super) fn new(body: Body, method: MethodConfig) -> Result<Self, MethodError> {
        let stepper = BodyStepper::new(&body, &method).map_err(MethodError::Factor)?;
        // Finding the stable step costs as much as a hundred steps: not for who needs none.
        let stable = method.stepper.is_explicit().then(|| stable_step(body.model()));
        let last = State::at_rest(&body.model().mesh().nodes);
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
            points,
            bystander,
            leans: false,
            joins: false,
            rest,
            report,
        })
    }

    /// Readies the body for meeting obstacles.
    pub(super) fn meet_obstacles(&mut self) {
        let contact = self.contact.get_or_insert_with(|| ObstacleContact::new(self.body.model()));
        // Every vertex may touch the new one: no step is to wait for memory.
        let skin = contact.skin();
        let vertices = skin.vertex_count();
        let weights = (0..vertices).map(|vertex| skin.weights(vertex).len()).sum();
        self.points.reserve(vertices, weights);
    }

    /// Whether it moves as prescribed, whatever touches it.
    pub(super) fn is_kinematic(&self) -> bool {
        self.body.unknowns().count() == 0
    }

    /// Its skin on its way.
    pub(super) fn collider(&self) -> Option<&Collider> {
        self.collider.as_ref()
    }

    /// Where its skin may be in the step.
    pub(super) fn bounds(&self) -> Aabb {
        self.collider.as_ref().map_or(Aabb::EMPTY, Collider::bounds)
    }

    /// Readies the body for meeting others.
    fn meet_bodies(&mut self) {
        if self.collider.is_none() {
            self.meet_obstacles();
            let skin = self.contact.as_ref().map(ObstacleContact::skin);
            let facets = skin.and_then(|skin| Facets::of_skin(self.body.model(), skin).ok());
            self.collider = facets.map(|facets| Collider::new(Arc::new(facets)));
        }
    }

    /// Takes its skin to where it is, for a step of `h`.
    pub(super) fn follow(&mut self, h: f64, thickness: f64) {
        self.meet_bodies();
        let (Some(collider), Some(contact)) = (&mut self.collider, &self.contact) else { return };
        let State { x, v } = &self.body.state;
        collider.follow(contact.skin(), x, v, h);
        collider.refit(thickness);
        self.astray = false;
    }

    /// Whether its skin has to be taken to where it is: who sleeps lies still.
    pub(super) fn wants_to_follow(&self) -> bool {
        !self.rest.is_asleep() || self.astray || self.collider.is_none()
    }

    /// How far the vertices of its skin are apart, in m.
    pub(super) fn spacing(&self) -> f64 {
        self.collider.as_ref().map_or(f64::INFINITY, |collider| collider.facets().spacing())
    }

    /// Its skin on its way through the step that was just taken, to be corrected.
    pub(super) fn way(&mut self) -> Option<SafeSurface<'_>> {
        if self.inverse_masses.is_empty() {
            let (masses, unknowns) = (self.body.model().masses(), self.body.unknowns());
            let free = |node: u32| !unknowns.is_prescribed(node);
            let inverse = |(node, mass): (u32, &f64)| if free(node) { 1.0 / mass } else { 0.0 };
            self.inverse_masses = (0u32..).zip(masses).map(inverse).collect();
        }
        let kinematic = self.is_kinematic();
        let (collider, skin) = (self.collider.as_ref()?, self.contact.as_ref()?.skin());
        let rigid = self.body.model().is_rigid();
        let State { x, v } = &mut self.body.state;
        let facets = collider.facets();
        if kinematic {
            skin.interpolate(x, &mut self.ends);
            let moved = Moved::Carried { begin: collider.x(), end: &self.ends };
            return Some(SafeSurface { facets, moved });
        }
        let (x0, inverse_masses) = (&*self.last.x, &*self.inverse_masses);
        let moved = Moved::Nodes { skin, x0, x1: x, v, inverse_masses, rigid };
        Some(SafeSurface { facets, moved })
    }

    /// The law of contact at a point of its skin.
    pub(super) fn law(&self, feature: &Feature) -> Option<VertexLaw> {
        let laws = self.contact.as_ref()?.laws();
        Some(VertexLaw::blend(laws, feature.vertices(), feature.weights()))
    }

    /// Where a point of its skin is, and its velocity, at the begin of the step.
    pub(super) fn carried(&self, feature: &Feature) -> Carried {
        let blend = |values: fn(&Collider) -> &[DVec3]| {
            self.collider.as_ref().map_or(DVec3::ZERO, |collider| feature.blend(values(collider)))
        };
        Carried { point: blend(Collider::x), velocity: blend(Collider::v) }
    }

    /// Nodes and weights of a point of its skin; a node may come more than once.
    pub(super) fn weights(&self, feature: &Feature) -> impl Iterator<Item = (u32, f64)> {
        let skin = self.contact.as_ref().map(ObstacleContact::skin);
        let vertices = feature.vertices().iter().zip(feature.weights());
        let vertices = vertices.map(|(vertex, share)| (*vertex, *share));
        skin.into_iter().flat_map(move |skin| {
            vertices.clone().flat_map(move |(vertex, share)| {
                skin.weights(vertex as usize).map(move |(node, weight)| (node, share * weight))
            })
        })
    }

    /// Gathers the forces of all pulls in a substep.
    fn find_pulls(&mut self, step: Interval) {
        let rest = &self.body.model().mesh().nodes;
        for pull in self.body.springs() {
            let nodes = pull.point.nodes.iter().copied();
            let weights = nodes.zip(pull.point.weights.iter().copied());
            let here = pull.point.position(&self.body.state.x);
            self.points.push(weights, force_of(pull, rest, here, step));
        }
    }

    /// Finds what touches obstacles in a substep.
    fn find_touches(
        &mut self,
        obstacles: &[Obstacle],
        step: Interval,
        phase: &mut PhaseTeller<'_>,
    ) {
        let Some(contact) = &mut self.contact else { return };
        phase(Phase::Contact);
        let reach = if self.method.stepper.solves() { Reach::Ahead } else { Reach::Now };
        let before = self.points.len();
        contact.gather(obstacles, &self.body.state, step, reach, &mut self.points);
        self.leans = self.points.len() > before;
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

    /// Gathers what pulls and obstacles do in a substep.
    pub(super) fn gather(
        &mut self,
        moment: &Moment<'_>,
        step: Interval,
        phase: &mut PhaseTeller<'_>,
    ) {
        self.points.clear();
        self.find_pulls(step);
        self.find_touches(moment.obstacles, step, phase);
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
        let (solves, swept) = stepper.substep(body, part, external, method, phase);
        self.report.linear.add_step(&solves);
        self.report.sweeps.add_step(&swept);
    }

    /// Sets the body back if its numbers are no longer finite, at the end of a step.
    pub(super) fn finish(&mut self, time: f64) {
        let broke = !self.body.state.is_finite();
        if broke {
            self.set_back(time);
        }
        self.failed = broke;
        self.report.reset |= broke;
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
        (self.report, self.astray) = (BodyReport::default(), true);
    }

    /// Whether pins, pulls or obstacles that it may touch move between two times.
    pub(super) fn is_driven(&self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        let moves =
            |motion: &Motion| !motion.ramps.is_empty() && motion.pose(from) != motion.pose(to);
        self.body.pins().iter().any(|pin| moves(&pin.motion))
            || self.body.springs().any(|pull| moves(&pull.motion))
            || obstacles.iter().any(|obstacle| moves(&obstacle.motion))
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
        self.rest.save(to);
        let holding = self.contact.as_ref().filter(|contact| contact.holds());
        to.flag(holding.is_some());
        if let Some(contact) = holding {
            contact.save(to);
        }
        to.flag(self.collider.is_some());
        self.stepper.save(to);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.body.load(from)?;
        self.last.load(from)?;
        if !self.last.is_finite() {
            return Err(from.bad("a finite state"));
        }
        self.failed = from.flag()?;
        self.touch.load(from)?;
        self.rest.load(from)?;
        self.load_contact(from)?;
        // How fine skins are counts from when they are known.
        if from.flag()? {
            self.meet_bodies();
        } else {
            self.collider = None;
        }
        (self.report, self.astray) = (BodyReport::default(), true);
        self.stepper.load(self.body.model(), from)
    }
}

impl Entry {
    /// What it holds on to. Room for that is made once there is something to meet.
    fn load_contact(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if from.flag()? {
            self.meet_obstacles();
            return self.contact.iter_mut().try_for_each(|contact| contact.load(from));
        }
        self.let_go();
        Ok(())
    }

    /// Lets go of all obstacles.
    fn let_go(&mut self) {
        let contacts = self.contact.iter_mut();
        contacts.flat_map(|contact| contact.grips_mut()).for_each(Grip::clear);
    }
}

/// The force of a pull on its point, which is `here`, towards where its target is at the end of a step.
fn force_of(pull: &Pull, rest: &[DVec3], here: DVec3, Interval { t, h }: Interval) -> PointForce {
    let (before, after) = (pull.target(rest, t), pull.target(rest, t + h));
    let force = pull.stiffness * (after - here) + pull.damping * ((after - before) / h);
    let (stiffness, damping) = (Mat3::IDENTITY * pull.stiffness, Mat3::IDENTITY * pull.damping);
    PointForce { force, stiffness, damping }
}
