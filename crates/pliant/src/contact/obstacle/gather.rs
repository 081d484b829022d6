//! Contact forces of a body on obstacles in a step.

use glam::{DQuat, DVec3};

use crate::body::State;
use crate::contact::detect::feature::Feature;
use crate::contact::law::friction_table::FrictionTable;
use crate::contact::law::overlap_recovery::OverlapRecovery;
use crate::contact::law::vertex_law::{PointMotion, VertexLaw};
use crate::force::PointForces;
use pliant_kernels::math::TimeStep;

use super::friction_anchors::{FrictionAnchor, VertexAnchors};
use super::obstacle::Obstacle;
use super::obstacle_contact::ObstacleContact;
use super::obstacle_context::{ObstacleContext, Reach};
use super::overlap::Overlap;
use super::point_contact::PointContact;
use super::sweep::ObstacleSweep;

/// Distance of a vertex from an obstacle, in spacings, up to which it is measured: triangles of a regular skin reach no farther from their vertices.
const FEATURE_MARGIN: f64 = 1.5;

/// A vertex is left to later steps if its gap exceeds that of the first ones to arrive by more than this, in spacings: it
/// will not arrive, since the first ones are stopped. A force linear in the new velocity does not contain that, and would pull it
/// in.
const STRAGGLER_GAP: f64 = 0.5;

/// Vertices on the far side of a body do not arrive either, though a thin body may be thinner than its spacing. They take part
/// only if they would end the step deeper than this, in spacings.
const FAR_SIDE_DEPTH: f64 = 1.0;

/// The distance up to which a body counts as laid on an obstacle when it is placed, over the way g h² that it would fall in the step. Without contact in its first
/// step it would sink in by that way, from which stiff bodies do not rise.
const LAID_ON: f64 = 0.25;

impl ObstacleContact {
    /// Adds to `points` the force of every point in contact with an obstacle in a step.
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
            gravity: DVec3::ZERO,
            centre_velocity: None,
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
        self.touches.begin_substep(points.len(), step.h);
        if context.obstacles.is_empty() {
            return;
        }
        self.skin.interpolate(&state.x, &mut self.x);
        self.skin.interpolate(&state.v, &mut self.v);
        let ahead = if reach == Reach::Ahead { step.h } else { 0.0 };
        let lies = if context.just_placed { LAID_ON } else { 0.0 };
        self.fall = lies * ahead * ahead * context.gravity;
        let (centre, radius) = self.ball(ahead);
        self.gathered.clear();
        for (index, obstacle) in (0u32..).zip(context.obstacles) {
            let sweep = obstacle.sweep(step.t, step.t + step.h);
            if !sweep.misses(centre, radius) {
                self.find(&sweep, (index, ahead));
                self.find_feature_contacts(index, &sweep, (ahead, step.h));
                if context.just_placed {
                    self.record_overlap(index);
                }
                self.ignore_depths(&sweep, context, step.h);
                self.drop_stragglers(ahead);
                self.gathered.append(&mut self.contacts);
            }
        }
        self.drop_points_that_stay_away(state, (ahead, step.h));
        self.push_all(context, step, ahead, points);
        self.anchors.iter_mut().for_each(VertexAnchors::end_substep);
        self.feature_anchors.end_substep();
    }

    /// Records an overlap if the body was placed in an obstacle that it did not touch before.
    fn record_overlap(&mut self, obstacle: u32) {
        let due = |contact: &&PointContact| {
            OverlapRecovery::is_too_deep(-contact.gap, self.law_at(&contact.point).spacing)
        };
        let due = self.contacts.iter().filter(due);
        let depth = due.map(|contact| -contact.gap).fold(0.0, f64::max);
        if !self.touched(obstacle) && depth > 0.0 {
            self.overlaps.push(Overlap { obstacle, depth });
        }
    }

    /// Shifts the contact planes inwards by the ignored depths.
    fn ignore_depths(&mut self, sweep: &ObstacleSweep<'_>, context: &ObstacleContext<'_>, h: f64) {
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            let law = || self.law_of(contact, h);
            contact.ignored_depth = match self.anchor_of(contact, sweep) {
                Some(anchor) => {
                    let ignored_depth = anchor.ignored_depth;
                    context.recovery.from(ignored_depth, law().spacing).remaining(ignored_depth, h)
                }
                None if context.just_placed => {
                    context.recovery.initial_ignored_depth(-contact.gap, &law(), Some(self.mass))
                }
                None => 0.0,
            };
            contact.plane.point -= contact.ignored_depth * contact.plane.normal;
            contact.gap += contact.ignored_depth;
        }
        self.contacts = contacts;
    }

    /// The law of a contact, in steps of `h` seconds.
    fn law_of(&self, contact: &PointContact, h: f64) -> VertexLaw {
        let law = self.law_at(&contact.point).scaled(contact.share);
        if self.is_rigid { law.with_rigid(self.mass, h) } else { law }
    }

    /// Finds the vertices in contact with an obstacle.
    fn find(&mut self, sweep: &ObstacleSweep<'_>, (obstacle, ahead): (u32, f64)) {
        let Self { contacts, search, laws, x, v, fall, .. } = self;
        contacts.clear();
        search.clear();
        let has_features = sweep.shape.has_features();
        for (vertex, ((x, v), law)) in (0..).zip(x.iter().zip(&*v).zip(laws)) {
            let path = sweep.local_path(*x, *x + ahead * *v + *fall);
            let margin = if has_features { FEATURE_MARGIN * law.spacing } else { 0.0 };
            let surface = law.stiffness > 0.0;
            let (clearance, plane) = if surface { sweep.follow(path, margin) } else { (0.0, None) };
            if has_features {
                search.push(path, clearance);
            }
            contacts.extend(plane.map(|plane| PointContact {
                obstacle,
                point: Feature::vertex(vertex),
                part: None,
                plane,
                gap: plane.gap(*x),
                ignored_depth: 0.0,
                share: 1.0,
            }));
        }
    }

    /// Removes vertices that will not arrive in this substep, since others stop the body before.
    fn drop_stragglers(&mut self, ahead: f64) {
        // Of corners and edges, other contacts decide as well: they wait for all obstacles.
        if self.contacts.iter().any(|contact| contact.part.is_some()) {
            return;
        }
        let first =
            self.contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min).max(0.0);
        if self.contacts.iter().any(|contact| contact.gap > 0.0) {
            self.find_outward();
        }
        let Self { contacts, laws, outward, v, .. } = self;
        let turned =
            |contact: &PointContact| contact.point.blend(outward).dot(contact.plane.normal) > 0.0;
        let front = contacts.iter().any(|contact| !turned(contact));
        contacts.retain(|contact| {
            let PointContact { point, .. } = contact;
            let spacing = VertexLaw::blend(laws, point.vertices(), point.weights()).spacing;
            let end = contact.gap + ahead * contact.plane.normal.dot(point.blend(v));
            let far_side =
                front && contact.gap > 0.0 && turned(contact) && end > -FAR_SIDE_DEPTH * spacing;
            contact.gap <= first + STRAGGLER_GAP * spacing && !far_side
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

    /// Adds the forces of all contacts.
    fn push_all(
        &mut self,
        context: &ObstacleContext<'_>,
        step: TimeStep,
        ahead: f64,
        points: &mut PointForces,
    ) {
        let gathered = std::mem::take(&mut self.gathered);
        for contacts in gathered.chunk_by(|a, b| a.obstacle == b.obstacle) {
            let index = contacts[0].obstacle;
            let obstacle = &context.obstacles[index as usize];
            let sweep = obstacle.sweep(step.t, step.t + step.h);
            let friction = context.frictions.between(context.material, obstacle.material);
            let friction = friction.unwrap_or(obstacle.friction);
            let centre = context.centre_velocity;
            self.push_forces(contacts, &sweep, centre, friction, (ahead, step.h), points);
        }
        self.gathered = gathered;
    }

    /// Adds the forces of the contacts with one obstacle.
    fn push_forces(
        &mut self,
        contacts: &[PointContact],
        sweep: &ObstacleSweep<'_>,
        centre_velocity: Option<DVec3>,
        friction: f64,
        (ahead, h): (f64, f64),
        points: &mut PointForces,
    ) {
        // Velocities are rotated with the obstacle to the middle of the step: the displacement of a vertex at rest on a rotating
        // obstacle is then that of the obstacle. Displacements of the last step are those of its middle, a whole step before.
        let turn = sweep.after.rotation * sweep.before.rotation.inverse();
        let half_turn = DQuat::IDENTITY.slerp(turn, 0.5);
        let carry = |v: DVec3| match centre_velocity {
            Some(centre) => turn * centre + half_turn * (v - centre),
            None => turn * v,
        };
        for contact in contacts {
            let PointContact { obstacle, point, plane, ignored_depth, .. } = contact;
            let law = self.law_of(contact, h);
            let (position, now) = (point.blend(&self.x), point.blend(&self.v));
            let velocity = carry(now);
            let place = sweep.before.local_point(position);
            let surface = (sweep.after.point(place) - position) / h;
            let held = self.anchor_of(contact, sweep);
            // Anchor and slip are kept in the frame of the obstacle, so they follow its motion.
            let offset = held.map(|anchor| sweep.after.direction(place - anchor.point));
            let before = held.map(|anchor| sweep.after.direction(anchor.slip));
            let (raised, mass) = (0.0, self.mass);
            let motion = PointMotion { position, velocity, surface, offset, raised, before, mass };
            let (force, result) = law.force(plane, &motion, friction, h);
            // An ignored overlap keeps its memory, but a point outside the shifted plane has no force.
            let inside = plane.gap(position + ahead * now + self.fall) < 0.0;
            if inside || *ignored_depth == 0.0 {
                self.push_force(contact, &force, points);
            }
            // Back to the frame of the obstacle, for the next substep.
            let local = sweep.after.rotation.inverse();
            let (point, slip) = (place - local * result.offset, local * result.velocity);
            let (obstacle, ignored_depth) = (*obstacle, *ignored_depth);
            let anchor = FrictionAnchor { obstacle, point, slip, ignored_depth };
            self.remember(contact, anchor, local * plane.normal);
        }
    }
}
