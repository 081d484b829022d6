//! What is read from a world of Pliant after a step.

use glam::DVec3;
use pliant::body::Body;
use pliant::contact::Obstacle;
use pliant::world::{BodyHandle, World};
use pliant_mesh::geometry::Aabb;

use super::sample::Sample;
use crate::bench::intersection_check::IntersectionCheck;

/// Acceleration against which bodies are lifted, in m/s²; also in scenes without gravity.
const GRAVITY: f64 = 9.81;

/// Reads the state of a world after its steps.
pub(super) struct Watch {
    check: IntersectionCheck,
    /// Bodies and their versions when `check` was made: it is made again when bodies break.
    versions: Vec<(BodyHandle, Option<u64>)>,
    /// True if all bodies slept after the last step.
    pub(super) asleep: bool,
    last: Sample,
}

impl Watch {
    pub(super) fn new(world: &World) -> Self {
        let check = IntersectionCheck::new(world).with_face_points();
        Self { check, versions: versions(world), asleep: false, last: Sample::default() }
    }

    /// The energy that lifts every body by the longest side of its box, in J.
    pub(super) fn lift(&self, world: &World) -> f64 {
        let lift = |(body, (_, points)): (&Body, (_, &[DVec3]))| {
            let bounds = Aabb::of(points.iter().copied());
            let size = (bounds.high - bounds.low).max_element();
            body.model().mass() * GRAVITY * size
        };
        let bodies = world.bodies().map(|(_, body)| body);
        bodies.zip(self.check.skins()).map(lift).sum()
    }

    /// The state now. While all bodies sleep it does not change.
    pub(super) fn sample(&mut self, world: &World, resets: usize) -> Sample {
        let asleep = world.bodies().all(|(handle, body)| is_at_rest(world, handle, body));
        if !(asleep && self.asleep) {
            self.last = self.look(world);
        }
        self.asleep = asleep;
        Sample { time: world.time(), resets, asleep, ..self.last.clone() }
    }

    fn look(&mut self, world: &World) -> Sample {
        if versions(world) != self.versions {
            *self = Self::new(world);
        }
        let found = self.check.find(world);
        let energy = world.energy();
        Sample {
            inner: energy.elastic + energy.kinetic,
            potential: energy.potential,
            fastest: self.fastest(world),
            depth: found.depth.max(self.depth_in_obstacles(world)),
            overlap: found.depth.max(found.depth_from_start),
            intersections: found.triangle_pairs,
            inverted: world.health().inverted,
            bodies: self.check.skins().map(|(_, points)| points.to_vec()).collect(),
            ..Sample::default()
        }
    }

    /// Speed of the fastest vertex of a skin, in m/s.
    fn fastest(&self, world: &World) -> f64 {
        let (mut fastest, mut velocities) = (0.0, Vec::new());
        for ((_, body), (skin, _)) in world.bodies().zip(self.check.skins()) {
            skin.interpolate(&body.state.v, &mut velocities);
            fastest = velocities.iter().map(|v| v.length()).fold(fastest, f64::max);
        }
        fastest
    }

    /// The largest depth of a vertex in an obstacle, in m. Pinned bodies do not count, since they may be held in one.
    fn depth_in_obstacles(&self, world: &World) -> f64 {
        let bodies = world.bodies().zip(self.check.skins());
        let free = bodies.filter(|((_, body), _)| body.pins().is_empty());
        let points: Vec<&DVec3> = free.flat_map(|(_, (_, points))| points).collect();
        let depth = |obstacle: &Obstacle| {
            let pose = obstacle.pose_at(world.time());
            let depth = |x: &DVec3| -obstacle.shape.distance(pose.local_point(*x)).distance;
            points.iter().map(|x| depth(x)).fold(0.0, f64::max)
        };
        world.obstacles().iter().map(depth).fold(0.0, f64::max)
    }
}

/// True for sleeping bodies, and for rigid bodies that are held, which never sleep.
fn is_at_rest(world: &World, handle: BodyHandle, body: &Body) -> bool {
    let is_held = body.model().is_rigid() && !body.pins().is_empty();
    is_held || world.is_asleep(handle) == Some(true)
}

fn versions(world: &World) -> Vec<(BodyHandle, Option<u64>)> {
    world.bodies().map(|(body, _)| (body, world.version(body))).collect()
}
