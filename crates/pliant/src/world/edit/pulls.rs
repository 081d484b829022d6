//! Pulls while a world runs.

use glam::DVec3;

use crate::body::{Pull, PullHandle};
use crate::world::edit::error::ChangeError;
use crate::world::slot::handle::{BodyHandle, HandleError};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

impl World {
    /// Adds a pull to a body, which wakes. Unlike a change through [`World::get_mut`], it does not count as putting the body in another place.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use pliant::body::{Body, Model, Motion, Pull};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model, vec![])?);
    ///
    /// // The mouse takes hold of a corner, lifts it, and lets go.
    /// let point = world[cube].locate(DVec3::ONE).ok_or("outside the body")?;
    /// let motion = Motion::default();
    /// let hold = world.add_pull(cube, Pull { point, motion, stiffness: 2e5, damping: 2e3 })?;
    /// for frame in 0..60 {
    ///     world.set_pull_target(cube, hold, DVec3::new(1.0, 1.0 + f64::from(frame) / 60.0, 1.0))?;
    ///     world.step();
    /// }
    /// world.remove_pull(cube, hold)?;
    /// assert!(world[cube].centre_of_mass().y > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Body::add_pull`](crate::Body::add_pull), or an invalid handle; then nothing has changed.
    pub fn add_pull(&mut self, body: BodyHandle, pull: Pull) -> Result<PullHandle, ChangeError> {
        Ok(self.pulled(body)?.body.add_pull(pull)?)
    }

    /// Moves the target of a pull to a position, in m, during the next step. It stays there until it is moved again.
    ///
    /// # Errors
    ///
    /// An invalid handle, a pull that was removed, or a position that is not finite or too far away; then nothing has changed.
    pub fn set_pull_target(
        &mut self,
        body: BodyHandle,
        pull: PullHandle,
        target: DVec3,
    ) -> Result<(), ChangeError> {
        let times = [self.time, self.time + self.config.dt];
        Ok(self.pulled(body)?.body.lead_pull(pull, target, times)?)
    }

    /// Removes a pull, and returns it. The body wakes.
    ///
    /// # Errors
    ///
    /// An invalid handle, or a pull that was removed before.
    pub fn remove_pull(&mut self, body: BodyHandle, pull: PullHandle) -> Result<Pull, ChangeError> {
        Ok(self.pulled(body)?.body.remove_pull(pull)?)
    }

    fn pulled(&mut self, body: BodyHandle) -> Result<&mut BodySlot, HandleError> {
        let index = self.slots.index_of(body)?;
        self.wake_slot(index);
        Ok(self.slots.get_mut(index).expect("an index of a valid handle"))
    }
}
