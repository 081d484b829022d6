//! Obstacles.

use glam::DVec3;

use crate::body::Motion;
use crate::contact::error::ObstacleError;
use crate::contact::law::check_friction::check_friction;
use pliant_mesh::geometry::{Pose, Shape};

use super::sweep::ObstacleSweep;

/// A solid that is fixed or moves as prescribed. Contact forces do not move it.
///
/// ```
/// use glam::DVec3;
/// use pliant::{Obstacle, Pose, Shape};
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
    /// Its name in texts (default empty: texts then name its shape).
    pub name: String,
    /// The solid, in its own frame (default the half space below y = 0).
    pub shape: Shape,
    /// Its initial pose (default the origin, without rotation).
    pub pose: Pose,
    /// Its motion (default none).
    pub motion: Motion,
    /// Coulomb's coefficient μ: tangential over normal force of a sliding body (default `0.5`). It applies to all bodies, unless
    /// [`World::set_friction`](crate::World::set_friction) gave both materials one.
    pub friction: f64,
    /// Number of its material (default `0`), used to look up friction between two materials.
    pub material: u32,
}

impl Default for Obstacle {
    fn default() -> Self {
        let shape = Shape::Plane { normal: DVec3::Y };
        Self {
            name: String::new(),
            shape,
            pose: Pose::IDENTITY,
            motion: Motion::default(),
            friction: 0.5,
            material: 0,
        }
    }
}

/// Largest coordinate of the position of an obstacle, in m.
const LARGEST_COORDINATE: f64 = 1e9;

impl Obstacle {
    /// The ground: the half space below y = 0.
    pub fn ground(friction: f64) -> Self {
        Self { friction, ..Self::default() }
    }

    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), ObstacleError> {
        let Self { name: _, shape, pose, motion, friction, material: _ } = self;
        shape.check()?;
        self.check_pose(pose)?;
        if let Some(ramp) = motion.ramps.iter().find(|ramp| !ramp.is_sound()) {
            return Err(ObstacleError::Ramp { ramp: format!("{ramp:?}") });
        }
        check_friction(*friction)
    }

    /// Checks a pose that it is to have.
    pub(crate) fn check_pose(&self, pose: &Pose) -> Result<(), ObstacleError> {
        if pose.is_sound() && pose.translation.abs().max_element() <= LARGEST_COORDINATE {
            return Ok(());
        }
        Err(ObstacleError::Pose { pose: format!("{pose:?}") })
    }

    /// True if its poses at two times, in s, differ.
    pub fn moves_between(&self, from: f64, to: f64) -> bool {
        self.motion.moves_between(from, to)
    }

    /// Its motion from one time to another, in s.
    pub(crate) fn sweep(&self, from: f64, to: f64) -> ObstacleSweep<'_> {
        ObstacleSweep { shape: &self.shape, before: self.pose_at(from), after: self.pose_at(to) }
    }

    /// Its pose at time `t`, in s.
    pub fn pose_at(&self, t: f64) -> Pose {
        self.motion.pose(t) * self.pose
    }
}
