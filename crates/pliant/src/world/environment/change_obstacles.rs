//! Adding, driving and removing obstacles.

use crate::body::{Action, Ramp};
use crate::contact::{Obstacle, ObstacleError};
use crate::world::edit::error::ChangeError;
use crate::world::slot::handle::{HandleError, ObstacleHandle};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;
use pliant_mesh::geometry::Pose;

impl World {
    /// Adds an obstacle, and wakes all bodies.
    ///
    /// ```
    /// use pliant::{Obstacle, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let ground = world.add_obstacle(Obstacle::ground(0.5))?;
    /// assert_eq!(world.obstacle(ground).map(|ground| ground.friction), Some(0.5));
    /// world.remove_obstacle(ground)?;
    /// assert!(world.obstacle(ground).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A shape without extent, or a number that is not finite.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<ObstacleHandle, ObstacleError> {
        obstacle.check()?;
        let handle = self.environment.obstacles.add(obstacle, self.slots.world());
        self.slots.iter_mut().for_each(BodySlot::prepare_for_obstacles);
        self.renew_all();
        Ok(handle)
    }

    /// All obstacles, in the order in which they were added.
    pub fn obstacles(&self) -> &[Obstacle] {
        self.environment.obstacles.list()
    }

    /// The handle of each of [`World::obstacles`].
    pub fn obstacle_handles(&self) -> &[ObstacleHandle] {
        self.environment.obstacles.handles()
    }

    /// An obstacle; `None` if it was removed, or if the handle belongs to another world.
    pub fn obstacle(&self, handle: ObstacleHandle) -> Option<&Obstacle> {
        let index = self.obstacle_index(handle).ok()?;
        self.obstacles().get(index)
    }

    /// Replaces an obstacle, and wakes all bodies; returns the old one.
    ///
    /// # Errors
    ///
    /// As for [`World::add_obstacle`], or an invalid handle; then nothing has changed.
    pub fn replace_obstacle(
        &mut self,
        handle: ObstacleHandle,
        obstacle: Obstacle,
    ) -> Result<Obstacle, ChangeError> {
        let index = self.obstacle_index(handle)?;
        obstacle.check()?;
        let old = &mut self.environment.obstacles.list_mut()[index];
        let old = std::mem::replace(old, obstacle);
        self.renew_all();
        Ok(old)
    }

    /// Removes an obstacle, and wakes the bodies that touched it; returns it.
    ///
    /// # Errors
    ///
    /// An invalid handle.
    pub fn remove_obstacle(&mut self, handle: ObstacleHandle) -> Result<Obstacle, HandleError> {
        let index = self.obstacle_index(handle)?;
        for body in 0..self.slots.len() as u32 {
            if self.slots.get(body).is_some_and(|slot| slot.contact.touched(index as u32)) {
                self.wake_slot(body);
            }
        }
        self.slots.iter_mut().for_each(|slot| slot.contact.forget_obstacle(index as u32));
        Ok(self.environment.obstacles.remove(index))
    }

    /// Moves an obstacle to a pose during the next step, from where it is now: evenly, and turning about its own origin. Call it in every frame for a
    /// lift, a door or a hand that the game moves. An obstacle that is not driven in a step stays where it is. Bodies that it reaches wake.
    ///
    /// It replaces the motion that the obstacle had.
    ///
    /// ```
    /// use pliant::glam::DVec3;
    /// use pliant::{Obstacle, Pose, Shape, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let shape = Shape::Box { half: DVec3::new(1.0, 0.1, 1.0) };
    /// let lift = world.add_obstacle(Obstacle { shape, ..Obstacle::default() })?;
    /// for frame in 1..=60 {
    ///     let height = f64::from(frame) / 60.0;
    ///     world.drive_obstacle(lift, Pose::from(height * DVec3::Y))?;
    ///     world.step();
    /// }
    /// let now = world.obstacles()[0].pose_at(world.time());
    /// assert!((now.translation - DVec3::Y).length() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An invalid handle, or a pose that is not finite or too far away; then nothing has changed.
    pub fn drive_obstacle(&mut self, handle: ObstacleHandle, to: Pose) -> Result<(), ChangeError> {
        let index = self.obstacle_index(handle)?;
        let (start, end) = (self.time, self.time + self.config.dt);
        let obstacle = &mut self.environment.obstacles.list_mut()[index];
        obstacle.check_pose(&to)?;
        let from = obstacle.pose_at(start);
        let turn = to.rotation * from.rotation.inverse();
        // A rotation and its opposite are the same: the shorter way round.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let (axis, angle) = turn.to_axis_angle();
        let rotate = Action::Rotate { centre: from.translation, axis, angle };
        let translate = Action::Translate(to.translation - from.translation);
        obstacle.pose = from;
        obstacle.motion.ramps.clear();
        let ramps = [rotate, translate].map(|action| Ramp { start, end, action });
        obstacle.motion.ramps.extend(ramps);
        Ok(())
    }

    fn obstacle_index(&self, handle: ObstacleHandle) -> Result<usize, HandleError> {
        self.environment.obstacles.index_of(handle, self.slots.world())
    }
}
