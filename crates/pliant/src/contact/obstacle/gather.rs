//! Contact forces of a body on obstacles in a step.

use glam::{DQuat, DVec3};

use crate::body::State;
use crate::contact::law::friction_table::FrictionTable;
use crate::contact::law::overlap_recovery::OverlapRecovery;
use crate::contact::law::vertex_law::PointMotion;
use crate::force::PointForces;
use pliant_kernels::math::TimeStep;

use super::friction_anchors::{FrictionAnchor, VertexAnchors};
use super::obstacle::Obstacle;
use super::obstacle_contact::ObstacleContact;
use super::obstacle_context::{ObstacleContext, Reach};
use super::overlap::Overlap;
use super::sweep::ObstacleSweep;
use super::vertex_contact::VertexContact;

/// A vertex is left to later steps if its gap exceeds that of the first ones to arrive by more than this, in spacings: it
/// will not arrive, since the first ones are stopped. A force linear in the new velocity does not contain that, and would pull it
/// in.
const STRAGGLER_GAP: f64 = 0.5;

/// Vertices on the far side of a body do not arrive either, though a thin body may be thinner than its spacing. They take part
/// only if they would end the step deeper than this, in spacings.
const FAR_SIDE_DEPTH: f64 = 1.0;

impl ObstacleContact {
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
                    self.record_overlap(index);
                }
                self.ignore_depths(index, context, step.h);
                self.drop_stragglers(ahead);
                let friction = context.frictions.between(context.material, obstacle.material);
                let friction = friction.unwrap_or(obstacle.friction);
                let centre = context.centre_velocity;
                self.push_forces(&sweep, centre, (index, friction), (ahead, step.h), points);
            }
        }
        self.anchors.iter_mut().for_each(VertexAnchors::end_substep);
    }

    /// Records an overlap if the body was placed in an obstacle that it did not touch before.
    fn record_overlap(&mut self, obstacle: u32) {
        let Self { contacts, anchors, laws, overlaps, .. } = self;
        let known = anchors.iter().any(|vertex| vertex.anchor(obstacle).is_some());
        let due = |contact: &&VertexContact| {
            OverlapRecovery::is_too_deep(-contact.gap, laws[contact.vertex].spacing)
        };
        let depth = contacts.iter().filter(due).map(|contact| -contact.gap).fold(0.0, f64::max);
        if !known && depth > 0.0 {
            overlaps.push(Overlap { obstacle, depth });
        }
    }

    /// Shifts the contact planes inwards by the ignored depths.
    fn ignore_depths(&mut self, obstacle: u32, context: &ObstacleContext<'_>, h: f64) {
        let Self { contacts, anchors, laws, .. } = self;
        for contact in contacts {
            contact.ignored_depth = match anchors[contact.vertex].anchor(obstacle) {
                Some(anchor) => context.recovery.remaining(anchor.ignored_depth, h),
                None if context.just_placed => OverlapRecovery::initial_ignored_depth(
                    -contact.gap,
                    laws[contact.vertex].spacing,
                    true,
                ),
                None => 0.0,
            };
            contact.plane.point -= contact.ignored_depth * contact.plane.normal;
            contact.gap += contact.ignored_depth;
        }
    }

    /// Finds the vertices in contact with an obstacle.
    fn find(&mut self, sweep: &ObstacleSweep<'_>, ahead: f64) {
        self.contacts.clear();
        for (vertex, (x, v)) in self.x.iter().zip(&self.v).enumerate() {
            if self.laws[vertex].stiffness > 0.0
                && let Some(plane) = sweep.entry(*x, *x + ahead * *v)
            {
                self.contacts.push(VertexContact {
                    vertex,
                    plane,
                    gap: plane.gap(*x),
                    ignored_depth: 0.0,
                });
            }
        }
    }

    /// Removes vertices that will not arrive in this substep, since others stop the body before.
    fn drop_stragglers(&mut self, ahead: f64) {
        let first =
            self.contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min).max(0.0);
        if self.contacts.iter().any(|contact| contact.gap > 0.0) {
            self.find_outward();
        }
        let Self { contacts, laws, outward, v, .. } = self;
        let turned =
            |contact: &VertexContact| outward[contact.vertex].dot(contact.plane.normal) > 0.0;
        let front = contacts.iter().any(|contact| !turned(contact));
        contacts.retain(|contact| {
            let spacing = laws[contact.vertex].spacing;
            let end = contact.gap + ahead * contact.plane.normal.dot(v[contact.vertex]);
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

    /// Adds the forces of the vertices in contact.
    fn push_forces(
        &mut self,
        sweep: &ObstacleSweep<'_>,
        centre_velocity: Option<DVec3>,
        (obstacle, friction): (u32, f64),
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
        for VertexContact { vertex, plane, ignored_depth, .. } in &self.contacts {
            let (law, anchors) = (self.laws[*vertex], &mut self.anchors[*vertex]);
            let law = self.rigid_mass.map_or(law, |mass| law.with_rigid(mass, h));
            let (position, velocity) = (self.x[*vertex], carry(self.v[*vertex]));
            let place = sweep.before.local_point(position);
            let surface = (sweep.after.point(place) - position) / h;
            let held = anchors.anchor(obstacle);
            // Anchor and slip are kept in the frame of the obstacle, so they follow its motion.
            let offset = held.map(|anchor| sweep.after.direction(place - anchor.point));
            let before = held.map(|anchor| sweep.after.direction(anchor.slip));
            let motion = PointMotion { position, velocity, surface, offset, raised: 0.0, before };
            let (force, result) = law.force(plane, &motion, friction, h);
            // An ignored overlap keeps its memory, but a vertex outside the shifted plane has no force.
            let inside = plane.gap(position + ahead * self.v[*vertex]) < 0.0;
            if inside || *ignored_depth == 0.0 {
                points.push_one_sided(self.skin.weights(*vertex), force, plane.normal);
            }
            // Back to the frame of the obstacle, for the next substep.
            let local = sweep.after.rotation.inverse();
            let (point, slip) = (place - local * result.offset, local * result.velocity);
            anchors.set(FrictionAnchor { obstacle, point, slip, ignored_depth: *ignored_depth });
        }
    }
}
