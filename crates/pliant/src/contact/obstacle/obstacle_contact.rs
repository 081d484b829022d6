//! Finding what of a body touches obstacles.

use glam::DVec3;

use crate::body::{Model, Skin, State};
use crate::contact::detect::collider::touching_skin::touching_skin;
use crate::contact::law::friction_table::FrictionTable;
use crate::contact::law::half_space::HalfSpace;
use crate::contact::law::overlap_recovery::OverlapRecovery;
use crate::contact::law::vertex_law::{PointMotion, VertexLaw};
use crate::force::PointForces;
use crate::math::TimeStep;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::friction_anchors::{FrictionAnchor, VertexAnchors};
use super::obstacle::Obstacle;
use super::sweep::ObstacleSweep;

/// Which vertices feel an obstacle in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Those that are, or by the end of the step would be, inside. For implicit steppers, which
    /// then find the velocity at which they just are not.
    #[default]
    Ahead,
    /// Those that are inside. For explicit steppers, which would turn a force that stops a vertex
    /// ahead of the obstacle into one that pulls it there.
    Now,
}

/// What a body may meet in a step, and on what terms.
#[derive(Debug, Clone, Copy)]
pub struct ObstacleContext<'a> {
    /// The obstacles of the world.
    pub obstacles: &'a [Obstacle],
    /// Friction between materials.
    pub frictions: &'a FrictionTable,
    /// The material of the body.
    pub material: u32,
    /// Whether the body has just been put where it is: what it overlaps that it did not touch before, it then
    /// gets out of slowly.
    pub just_placed: bool,
    /// How slowly.
    pub recovery: OverlapRecovery,
}

/// An obstacle that a body has begun in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The obstacle, by its number in the world.
    pub obstacle: u32,
    /// How deep, in m.
    pub depth: f64,
}

/// BodyContacts of one body with obstacles, and the buffers for finding them.
///
/// ```
/// use pliant::body::{Model, State};
/// use pliant::contact::{Obstacle, ObstacleContact, Reach};
/// use pliant::math::TimeStep;
/// use pliant::force::PointForces;
/// use pliant::material::Material;
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
///
/// let model = Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?;
/// let mut state = State::at_rest(&model.mesh().nodes);
/// state.x.iter_mut().for_each(|x| x.y -= 1e-4);
///
/// let mut contact = ObstacleContact::new(&model);
/// let mut points = PointForces::default();
/// let step = TimeStep { t: 0.0, h: 1.0 / 60.0 };
/// contact.gather(&[Obstacle::context(0.5)], &state, step, Reach::Ahead, &mut points);
/// assert!(points.len() >= 4, "the lower corners are in the context");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObstacleContact {
    skin: Skin,
    laws: Vec<VertexLaw>,
    /// What every vertex holds on to.
    anchors: Vec<VertexAnchors>,
    /// Speed below which a body counts as held, in m/s.
    sticking: f64,
    /// Where the vertices are, and their velocities.
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    met: Vec<VertexContact>,
    /// Out of the skin at every vertex, as long as the triangles around it are large; while something approaches.
    outward: Vec<DVec3>,
    /// Overlaps that were found in the last step that was just_placed.
    overlaps: Vec<Overlap>,
}

/// A vertex that meets an obstacle.
#[derive(Debug, Clone, Copy)]
struct VertexContact {
    vertex: usize,
    plane: HalfSpace,
    /// Distance to go, in m; negative inside.
    gap: f64,
    /// How much of the overlap does not count, in m.
    ignored_depth: f64,
}

/// Vertices that are farther from an obstacle than the first ones to arrive there, by this much of
/// their spacing, are left to later steps: they will not arrive, since the first ones are stopped.
/// A force linear in the new velocity cannot know that, and would pull them in.
const STRAGGLER_GAP: f64 = 0.5;

/// Vertices on the far side of a body do not arrive either, though a thin one may be farther behind its front than its spacing
/// tells; unless they would end the step deeper than so many spacings.
const FAR_SIDE_DEPTH: f64 = 1.0;

/// Speed below which a body counts as held, in sizes of the body per second.
const STICKING_SPEED: f64 = 1e-4;

impl ObstacleContact {
    /// Contact of bodies of this model through the skin by which they [touch](touching_skin).
    pub fn new(model: &Model) -> Self {
        Self::with_skin(model, touching_skin(model))
    }

    /// Contact through the vertices of a skin of this model.
    pub fn with_skin(model: &Model, skin: Skin) -> Self {
        let laws = VertexLaw::of_skin(model, &skin);
        let (low, high) = model.mesh().bounds();
        let sticking = STICKING_SPEED * (high - low).length();
        let met = Vec::with_capacity(skin.vertex_count());
        let anchors = vec![VertexAnchors::default(); skin.vertex_count()];
        let outward = vec![DVec3::ZERO; skin.vertex_count()];
        let (x, v, overlaps) = (Vec::new(), Vec::new(), Vec::new());
        Self { skin, laws, anchors, sticking, x, v, met, outward, overlaps }
    }

    /// What touches.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// The law of every vertex.
    pub fn laws(&self) -> &[VertexLaw] {
        &self.laws
    }

    /// What every vertex holds on to: all that contact remembers between steps.
    pub fn anchors(&self) -> &[VertexAnchors] {
        &self.anchors
    }

    /// What every vertex holds on to, to be restored or let go.
    pub fn grips_mut(&mut self) -> &mut [VertexAnchors] {
        &mut self.anchors
    }

    /// Whether some vertex holds on to something.
    pub fn has_anchors(&self) -> bool {
        self.anchors.iter().any(|vertex| vertex.anchors.iter().any(Option::is_some))
    }

    /// Lets go of everything.
    pub fn let_go(&mut self) {
        self.anchors.iter_mut().for_each(VertexAnchors::clear);
    }

    /// Obstacles that the body was found to begin in, when it was last put somewhere.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.overlaps
    }

    /// Speed below which a body that lies on something counts as held, in m/s: a ten-thousandth of
    /// its size per second.
    pub fn sticking(&self) -> f64 {
        self.sticking
    }

    /// Adds to `points` the force of every vertex that meets an obstacle in a step.
    ///
    /// Obstacles are where they will be at the end of the step: a linearised force is zero where
    /// the vertex would just touch them there.
    pub fn gather(
        &mut self,
        obstacles: &[Obstacle],
        state: &State,
        step: TimeStep,
        reach: Reach,
        points: &mut PointForces,
    ) {
        let frictions = &FrictionTable::default();
        let context = ObstacleContext {
            obstacles,
            frictions,
            material: 0,
            just_placed: false,
            recovery: OverlapRecovery::default(),
        };
        self.gather_on(&context, state, step, reach, points);
    }

    /// The same on these terms.
    pub fn gather_on(
        &mut self,
        context: &ObstacleContext<'_>,
        state: &State,
        step: TimeStep,
        reach: Reach,
        points: &mut PointForces,
    ) {
        if context.obstacles.is_empty() {
            return;
        }
        self.skin.interpolate(&state.x, &mut self.x);
        self.skin.interpolate(&state.v, &mut self.v);
        let ahead = if reach == Reach::Ahead { step.h } else { 0.0 };
        let (centre, radius) = self.ball(ahead);
        for (index, obstacle) in (0u32..).zip(context.obstacles) {
            let sweep = obstacle.sweep(step.t, step.t + step.h);
            if !sweep.misses(centre, radius) {
                self.find(&sweep, ahead);
                if context.just_placed {
                    self.note_overlap(index);
                }
                self.ignore_depths(index, context, step.h);
                self.drop_stragglers(ahead);
                let friction = context.frictions.between(context.material, obstacle.material);
                let friction = friction.unwrap_or(obstacle.friction);
                self.push_forces(&sweep, (index, friction), (ahead, step.h), points);
            }
        }
        self.anchors.iter_mut().for_each(VertexAnchors::end_step);
    }

    /// Notes if the body has been put into an obstacle that it did not touch before.
    fn note_overlap(&mut self, obstacle: u32) {
        let Self { met, anchors, laws, overlaps, .. } = self;
        let known = anchors.iter().any(|vertex| vertex.anchor(obstacle).is_some());
        let due =
            |met: &&VertexContact| OverlapRecovery::is_too_deep(-met.gap, laws[met.vertex].spacing);
        let depth = met.iter().filter(due).map(|met| -met.gap).fold(0.0, f64::max);
        if !known && depth > 0.0 {
            overlaps.push(Overlap { obstacle, depth });
        }
    }

    /// Moves the planes that were found to where they count while overlaps are let out.
    fn ignore_depths(&mut self, obstacle: u32, context: &ObstacleContext<'_>, h: f64) {
        let Self { met, anchors, laws, .. } = self;
        for met in met {
            met.ignored_depth = match anchors[met.vertex].anchor(obstacle) {
                Some(anchor) => context.recovery.remaining(anchor.ignored_depth, h),
                None if context.just_placed => {
                    OverlapRecovery::initial_ignored_depth(-met.gap, laws[met.vertex].spacing, true)
                }
                None => 0.0,
            };
            met.plane.point -= met.ignored_depth * met.plane.normal;
            met.gap += met.ignored_depth;
        }
    }

    /// Forgets which overlaps were found.
    pub fn clear_overlaps(&mut self) {
        self.overlaps.clear();
    }

    /// A ball about its skin where a state has it: middle and radius, in m.
    pub fn ball_at(&mut self, state: &State) -> (DVec3, f64) {
        self.skin.interpolate(&state.x, &mut self.x);
        self.v.clear();
        self.v.resize(self.x.len(), DVec3::ZERO);
        self.ball(0.0)
    }

    /// Finds the vertices that meet an obstacle.
    fn find(&mut self, sweep: &ObstacleSweep<'_>, ahead: f64) {
        self.met.clear();
        for (vertex, (x, v)) in self.x.iter().zip(&self.v).enumerate() {
            if self.laws[vertex].stiffness > 0.0
                && let Some(plane) = sweep.entry(*x, *x + ahead * *v)
            {
                self.met.push(VertexContact {
                    vertex,
                    plane,
                    gap: plane.gap(*x),
                    ignored_depth: 0.0,
                });
            }
        }
    }

    /// Leaves out those that will not arrive, since others stop the body before.
    fn drop_stragglers(&mut self, ahead: f64) {
        let first = self.met.iter().map(|met| met.gap).fold(f64::INFINITY, f64::min).max(0.0);
        if self.met.iter().any(|met| met.gap > 0.0) {
            self.find_outward();
        }
        let Self { met, laws, outward, v, .. } = self;
        let turned = |met: &VertexContact| outward[met.vertex].dot(met.plane.normal) > 0.0;
        let front = met.iter().any(|met| !turned(met));
        met.retain(|met| {
            let spacing = laws[met.vertex].spacing;
            let end = met.gap + ahead * met.plane.normal.dot(v[met.vertex]);
            let far_side = front && met.gap > 0.0 && turned(met) && end > -FAR_SIDE_DEPTH * spacing;
            met.gap <= first + STRAGGLER_GAP * spacing && !far_side
        });
    }

    fn find_outward(&mut self) {
        let Self { skin, x, outward, .. } = self;
        outward.fill(DVec3::ZERO);
        for triangle in skin.triangles() {
            let [a, b, c] = triangle.map(|vertex| x[vertex as usize]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|vertex| outward[*vertex as usize] += area);
        }
    }

    /// The forces of those that were found.
    fn push_forces(
        &mut self,
        sweep: &ObstacleSweep<'_>,
        (obstacle, friction): (u32, f64),
        (ahead, h): (f64, f64),
        points: &mut PointForces,
    ) {
        let turn = sweep.after.rotation * sweep.before.rotation.inverse();
        for VertexContact { vertex, plane, ignored_depth, .. } in &self.met {
            let (law, anchors) = (&self.laws[*vertex], &mut self.anchors[*vertex]);
            let (position, velocity) = (self.x[*vertex], turn * self.v[*vertex]);
            let place = sweep.before.local_point(position);
            let surface = (sweep.after.point(place) - position) / h;
            let held = anchors.anchor(obstacle);
            let offset = held.map(|anchor| sweep.after.direction(place - anchor.point));
            let before = held.map(|anchor| sweep.after.direction(anchor.slip));
            let motion = PointMotion { position, velocity, surface, offset, before };
            let (force, result) = law.force(plane, &motion, friction, h);
            // What does not count yet is remembered, but nothing that is not met pushes.
            let met = plane.gap(position + ahead * self.v[*vertex]) < 0.0;
            if met || *ignored_depth == 0.0 {
                points.push_one_sided(self.skin.weights(*vertex), force, plane.normal);
            }
            let local = sweep.after.rotation.inverse();
            let (point, slip) = (place - local * result.offset, local * result.velocity);
            anchors.set(FrictionAnchor { obstacle, point, slip, ignored_depth: *ignored_depth });
        }
    }

    /// A ball about all vertices, now and so much later.
    fn ball(&self, ahead: f64) -> (DVec3, f64) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (x, v) in self.x.iter().zip(&self.v) {
            let end = *x + ahead * *v;
            low = low.min(*x).min(end);
            high = high.max(*x).max(end);
        }
        (0.5 * (low + high), 0.5 * (high - low).length())
    }
}

impl Persist for ObstacleContact {
    fn save(&self, to: &mut Writer) {
        to.u32(self.anchors.len() as u32);
        self.anchors.iter().for_each(|vertex| vertex.save(to));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if from.u32()? as usize != self.anchors.len() {
            return Err(from.bad("the anchors of this skin"));
        }
        self.anchors.iter_mut().try_for_each(|vertex| vertex.load(from))
    }
}
