//! Things that bodies run into and that nothing moves.

use glam::DVec3;

use crate::body::Motion;
use crate::contact::error::ObstacleError;
use crate::contact::law::check_friction::check_friction;
use crate::geometry::{Pose, Shape};

use super::sweep::ObstacleSweep;

/// A solid that stands still or moves as prescribed, whatever touches it.
///
/// ```
/// use glam::DVec3;
/// use pliant::contact::Obstacle;
/// use pliant::geometry::{Pose, Shape};
///
/// let ground = Obstacle::ground(0.5);
/// let ball = Obstacle {
///     shape: Shape::Sphere { radius: 0.5 },
///     pose: Pose::from(DVec3::new(0.0, 1.0, 0.0)),
///     ..Obstacle::default()
/// };
/// assert!(ground.check().is_ok() && ball.check().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// The solid, in its own frame (default the half space below y = 0).
    pub shape: Shape,
    /// Where it is before it moves (default the origin, unturned).
    pub pose: Pose,
    /// How it moves (default not at all).
    pub motion: Motion,
    /// Coulomb's coefficient μ: tangential over normal force of what slides (default `0.5`). It holds for all that slides
    /// on it, unless a [`FrictionTable`](crate::contact::FrictionTable) knows better.
    pub friction: f64,
    /// Number of what it is made of (default `0`), by which friction between two materials is looked up.
    pub material: u32,
}

impl Default for Obstacle {
    fn default() -> Self {
        let shape = Shape::Plane { normal: DVec3::Y };
        Self { shape, pose: Pose::IDENTITY, motion: Motion::default(), friction: 0.5, material: 0 }
    }
}

/// Most that an obstacle may lie from the origin, in m.
const LARGEST_COORDINATE: f64 = 1e9;

impl Obstacle {
    /// The ground: all below y = 0.
    pub fn ground(friction: f64) -> Self {
        Self { friction, ..Self::default() }
    }

    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), ObstacleError> {
        let Self { shape, pose, motion, friction, material: _ } = self;
        shape.check()?;
        if !(pose.is_sound() && pose.translation.abs().max_element() <= LARGEST_COORDINATE) {
            return Err(ObstacleError::Pose { pose: format!("{pose:?}") });
        }
        if let Some(ramp) = motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            return Err(ObstacleError::Ramp { ramp: format!("{ramp:?}") });
        }
        check_friction(*friction)
    }

    /// Whether it is elsewhere at another time, both in s.
    pub fn moves_between(&self, from: f64, to: f64) -> bool {
        !self.motion.ramps.is_empty() && self.motion.pose(from) != self.motion.pose(to)
    }

    /// Its way from one time to another, in s.
    pub fn sweep(&self, from: f64, to: f64) -> ObstacleSweep<'_> {
        ObstacleSweep { shape: &self.shape, before: self.pose_at(from), after: self.pose_at(to) }
    }

    /// Where it is at time `t`, in s.
    pub fn pose_at(&self, t: f64) -> Pose {
        self.motion.pose(t) * self.pose
    }
}
