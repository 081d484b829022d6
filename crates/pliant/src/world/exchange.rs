//! Putting something in the place of something else while a world runs.

use crate::body::Body;
use crate::contact::{Obstacle, ObstacleError};
use crate::solver::{MethodConfig, MethodError};

use super::entry::Entry;
use super::{Handle, World};

/// A body that cannot take the place of another.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A handle of another world.
    #[error("there is no body {index} in this world, which has {count}")]
    NoSuchBody {
        /// Its place.
        index: u32,
        /// Bodies there are.
        count: usize,
    },
    /// Something holds points of the body that is to go.
    #[error(
        "body {index} is attached to something, and another body has other points; detach it first"
    )]
    Attached {
        /// Its place.
        index: u32,
    },
    /// The method does not go with the new body.
    #[error(transparent)]
    Method(#[from] MethodError),
}

impl World {
    /// Puts `body` in the place of another, to be stepped by `method`; returns the one that was there.
    ///
    /// The handle now names the new body, which touches others as the old one did. Nothing is carried
    /// over: a body that is to go on from where the old one was, of another material perhaps, is given
    /// that one's state first. All others go on as if nothing had happened; those that slept with it wake.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::solver::MethodConfig;
    /// # use pliant::world::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model.clone(), vec![])?);
    /// world.step();
    ///
    /// let steel = Material { young: 2e11, ..Material::default() };
    /// let mut stiffer = Body::new("cube", Arc::new(model.with_materials(vec![steel])?), vec![])?;
    /// stiffer.state = world.body(cube).expect("it was added").state.clone();
    /// let softer = world.exchange(cube, stiffer, MethodConfig::default())?;
    /// assert_eq!(world.body(cube).expect("it is there").state, softer.state);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`World::add_with`]; a handle of another world; a body that something is attached to. Then
    /// nothing has changed.
    pub fn exchange(
        &mut self,
        handle: Handle,
        body: Body,
        method: MethodConfig,
    ) -> Result<Body, ExchangeError> {
        let (index, count) = (handle.index, self.entries.len());
        let old = self.entries.get(index).ok_or(ExchangeError::NoSuchBody { index, count })?;
        if self.attachments.iter().flatten().any(|attached| attached.names(index)) {
            return Err(ExchangeError::Attached { index });
        }
        let method = method.suited_to(body.model());
        method.check_for(body.model())?;
        let mut entry = Entry::new(body, method)?;
        entry.check_pace(&self.config)?;
        entry.touch = old.touch;
        if !self.obstacles.is_empty() {
            entry.meet_obstacles();
        }
        self.wake(handle);
        entry.root = self.renew_root(index, method);
        entry.version = self.next_version();
        let old = self.entries.take(index);
        self.entries.put(index, Box::new(entry));
        self.touching.forget(index);
        Ok(old.body)
    }

    /// Puts an obstacle in the place of another, and wakes all bodies; returns the one that was there, or
    /// none if there is no such obstacle, and then nothing has changed.
    ///
    /// # Errors
    ///
    /// As for [`World::add_obstacle`]; then nothing has changed either.
    pub fn exchange_obstacle(
        &mut self,
        index: usize,
        obstacle: Obstacle,
    ) -> Result<Option<Obstacle>, ObstacleError> {
        obstacle.check()?;
        let old = self.obstacles.get_mut(index).map(|old| std::mem::replace(old, obstacle));
        self.renew_all();
        Ok(old)
    }

    /// Sets the clock: pins, pulls and obstacles that move are from now on where they belong at `time`, in
    /// s. For a world that goes on where another left off.
    ///
    /// # Panics
    /// If the time is not finite.
    pub fn set_time(&mut self, time: f64) {
        assert!(time.is_finite(), "a time in s, not {time}");
        self.time = time;
        self.renew_all();
    }
}
