//! Contact of a body with obstacles.

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

/// The vertices that take part in contact with obstacles in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Vertices that are inside, or would be by the end of the step. For implicit steppers, which then find
    /// the velocity at which they just touch.
    #[default]
    Ahead,
    /// Vertices that are inside. For explicit steppers: with them, a force that stops a vertex ahead of the obstacle would pull
    /// it there.
    Now,
}

/// Inputs of contact with obstacles in a step.
#[derive(Debug, Clone, Copy)]
pub struct ObstacleContext<'a> {
    /// The obstacles of the world.
    pub obstacles: &'a [Obstacle],
    /// Friction between materials.
    pub frictions: &'a FrictionTable,
    /// The material of the body.
    pub material: u32,
    /// True if the body was just placed: overlaps with obstacles it did not touch before are then resolved slowly.
    pub just_placed: bool,
    /// The speed of that.
    pub recovery: OverlapRecovery,
}

/// An obstacle that overlaps a body at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The obstacle, by its index in the world.
    pub obstacle: u32,
    /// The depth, in m.
    pub depth: f64,
}

/// Contacts of one body with obstacles, and the buffers for finding them.
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
/// contact.gather(&[Obstacle::ground(0.5)], &state, step, Reach::Ahead, &mut points);
/// assert!(points.len() >= 4, "the lower corners are in the context");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObstacleContact {
    skin: Skin,
    laws: Vec<VertexLaw>,
    /// The friction memory of every vertex.
    anchors: Vec<VertexAnchors>,
    /// Speed below which a body counts as at rest, in m/s.
    sticking: f64,
    /// Positions and velocities of the vertices.
    x: Vec<DVec3>,
    v: Vec<DVec3>,
    met: Vec<VertexContact>,
    /// Sum of the area vectors of the triangles around every vertex; filled if a vertex approaches an obstacle.
    outward: Vec<DVec3>,
    /// Overlaps found when the body was last placed.
    overlaps: Vec<Overlap>,
}

/// A vertex in contact with an obstacle.
#[derive(Debug, Clone, Copy)]
struct VertexContact {
    vertex: usize,
    plane: HalfSpace,
    /// Distance to the plane, in m; negative inside.
    gap: f64,
    /// Depth of the overlap that is ignored, in m.
    ignored_depth: f64,
}

/// A vertex is left to later steps if its gap exceeds that of the first ones to arrive by more than this, in spacings: it
/// will not arrive, since the first ones are stopped. A force linear in the new velocity does not contain that, and would pull it
/// in.
const STRAGGLER_GAP: f64 = 0.5;

/// Vertices on the far side of a body do not arrive either, though a thin body may be thinner than its spacing. They take part
/// only if they would end the step deeper than this, in spacings.
const FAR_SIDE_DEPTH: f64 = 1.0;

/// Speed below which a body counts as at rest, in sizes of the body per second.
const STICKING_SPEED: f64 = 1e-4;

impl ObstacleContact {
    /// Contact of bodies of this model through their [contact skin](touching_skin).
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

    /// The contact skin.
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// The law of every vertex.
    pub fn laws(&self) -> &[VertexLaw] {
        &self.laws
    }

    /// The friction memory of every vertex: the only state of contact between steps.
    pub fn anchors(&self) -> &[VertexAnchors] {
        &self.anchors
    }

    /// The friction memory of every vertex, to be restored or cleared.
    pub fn grips_mut(&mut self) -> &mut [VertexAnchors] {
        &mut self.anchors
    }

    /// True if some vertex has an anchor.
    pub fn has_anchors(&self) -> bool {
        self.anchors.iter().any(|vertex| vertex.anchors.iter().any(Option::is_some))
    }

    /// Removes all anchors.
    pub fn let_go(&mut self) {
        self.anchors.iter_mut().for_each(VertexAnchors::clear);
    }

    /// Obstacles that overlapped the body when it was last placed.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.overlaps
    }

    /// Speed below which a body in contact counts as at rest, in m/s: a ten-thousandth of its size per second.
    pub fn sticking(&self) -> f64 {
        self.sticking
    }

    /// Adds to `points` the force of every vertex in contact with an obstacle in a step.
    ///
    /// Obstacles are at their positions at the end of the step: a linearised force is zero where the vertex would just
    /// touch them there.
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

    /// The same with a friction table, the material of the body, and recovery from overlaps.
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

    /// Records an overlap if the body was placed in an obstacle that it did not touch before.
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

    /// Shifts the contact planes inwards by the ignored depths.
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

    /// Clears the recorded overlaps.
    pub fn clear_overlaps(&mut self) {
        self.overlaps.clear();
    }

    /// The bounding ball of the skin in a state: centre and radius, in m.
    pub fn ball_at(&mut self, state: &State) -> (DVec3, f64) {
        self.skin.interpolate(&state.x, &mut self.x);
        self.v.clear();
        self.v.resize(self.x.len(), DVec3::ZERO);
        self.ball(0.0)
    }

    /// Finds the vertices in contact with an obstacle.
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

    /// Removes vertices that will not arrive in this step, since others stop the body before.
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

    /// Adds the forces of the vertices in contact.
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
            // An ignored overlap keeps its memory, but a vertex outside the shifted plane has no force.
            let met = plane.gap(position + ahead * self.v[*vertex]) < 0.0;
            if met || *ignored_depth == 0.0 {
                points.push_one_sided(self.skin.weights(*vertex), force, plane.normal);
            }
            let local = sweep.after.rotation.inverse();
            let (point, slip) = (place - local * result.offset, local * result.velocity);
            anchors.set(FrictionAnchor { obstacle, point, slip, ignored_depth: *ignored_depth });
        }
    }

    /// A ball around all vertices, now and `ahead` seconds later.
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
