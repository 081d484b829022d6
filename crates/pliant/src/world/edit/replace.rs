//! Replacing and removing bodies while a world runs.

use crate::body::Body;
use crate::solver::{MethodConfig, MethodError};
use crate::world::slot::handle::{BodyHandle, HandleError};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

/// A body that cannot replace another.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// A handle that names no body of this world.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// The old body has attachments.
    #[error("body {index} has attachments, which do not fit another body: detach it first")]
    Attached {
        /// The index of the body.
        index: u32,
    },
    /// The method does not fit the new body.
    #[error(transparent)]
    Method(#[from] MethodError),
}

impl World {
    /// Replaces a body by `body`, with `method`; returns the old body.
    ///
    /// The handle now names the new body, which has the contact settings of the old one. Nothing else is copied: to go on from the
    /// old state, with another material perhaps, copy it to the new body first. Bodies that slept with the old one wake; all others
    /// go on undisturbed.
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
    /// stiffer.state = world.get(cube).expect("it was added").state.clone();
    /// let softer = world.replace(cube, stiffer, MethodConfig::default())?;
    /// assert_eq!(world.get(cube).expect("it is there").state, softer.state);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`World::add_with`]; an invalid handle; a body with attachments. Then nothing has changed.
    pub fn replace(
        &mut self,
        handle: BodyHandle,
        body: Body,
        method: MethodConfig,
    ) -> Result<Body, ReplaceError> {
        let index = self.replaceable(handle)?;
        let method = method.suited_to(body.model());
        method.check_for(body.model())?;
        Ok(self.replace_slot(index, BodySlot::new(body, method)?)?)
    }

    /// Replaces a body as [`World::replace`] does, with the stepper that an equal body has in another world, `prepared`.
    ///
    /// The stepper takes longer to make than all the rest: its factor needs an order and memory. A program that must not
    /// wait for it adds the new body to a world of its own on another thread, and passes that world here. The state of
    /// `body` may be another by then. A new stepper is made if no body of `prepared` has the same model, pins and method, or if
    /// that world was stepped; also for rigid and plastic bodies, whose steppers depend on their state.
    ///
    /// # Errors
    ///
    /// As for [`World::replace`].
    pub fn replace_prepared(
        &mut self,
        handle: BodyHandle,
        body: Body,
        method: MethodConfig,
        mut prepared: Self,
    ) -> Result<Body, ReplaceError> {
        let index = self.replaceable(handle)?;
        let suited = method.suited_to(body.model());
        let is_new = prepared.time == 0.0;
        let is_equal = |other: &u32| {
            let slot = prepared.slots.get(*other);
            is_new && slot.is_some_and(|slot| slot.fits(&body, &suited))
        };
        let Some(other) = (0..prepared.slots.len() as u32).find(is_equal) else {
            return self.replace(handle, body, method);
        };
        let mut slot = *prepared.slots.take(other);
        slot.body = body;
        Ok(self.replace_slot(index, slot)?)
    }

    /// The index of a body that can be replaced.
    fn replaceable(&self, handle: BodyHandle) -> Result<u32, ReplaceError> {
        let index = self.slots.index_of(handle)?;
        match self.attachments.name(index) {
            true => Err(ReplaceError::Attached { index }),
            false => Ok(index),
        }
    }

    /// Replaces a body by one that has not been stepped yet, and returns the old one.
    fn replace_slot(&mut self, index: u32, mut slot: BodySlot) -> Result<Body, MethodError> {
        slot.stepping.check_substeps(&self.config)?;
        if !self.environment.obstacles.is_empty() {
            slot.prepare_for_obstacles();
        }
        self.wake_slot(index);
        slot.identity.original = self.renew_original(index, slot.stepping.method);
        let old = self.slots.take(index);
        slot.contact.config = old.contact.config;
        self.slots.put_at(index, slot);
        self.contacts.forget(index);
        Ok(old.body)
    }

    /// Sets the time, in s, which determines the positions of moving pins, pulls and obstacles. For a world that continues
    /// another one.
    ///
    /// # Panics
    /// If the time is not finite.
    pub fn set_time(&mut self, time: f64) {
        assert!(time.is_finite(), "a time in s, not {time}");
        self.time = time;
        self.renew_all();
    }

    /// Removes a body, or a fragment of one, and returns it. Its attachments are released, and bodies that slept with it wake. Its
    /// handle names nothing any more.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model.clone(), vec![])?);
    /// world.remove(cube)?;
    /// let other = world.add(Body::new("other cube", model, vec![])?);
    /// assert!(world.get(cube).is_none() && world.get(other).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An invalid handle.
    pub fn remove(&mut self, handle: BodyHandle) -> Result<Body, HandleError> {
        let index = self.slots.index_of(handle)?;
        let attached: Vec<_> = self.attachments_of(index).collect();
        attached.into_iter().for_each(|attachment| _ = self.detach(attachment));
        self.wake_slot(index);
        self.contacts.forget(index);
        let slot = self.slots.remove(index);
        self.forget_original(slot.identity.original, index);
        Ok(slot.body)
    }

    /// Passes the place of an original on to another of its fragments, or forgets it with the last one.
    fn forget_original(&mut self, original: u32, removed: u32) {
        let mut fragments = self.slots.indexed();
        let heir = fragments.find(|(_, slot)| slot.identity.original == original);
        let heir = heir.map(|(index, _)| index);
        match (heir, self.originals.get_mut(original)) {
            (Some(heir), Some(own)) if own.place == removed => own.place = heir,
            (None, _) => self.originals.remove(original),
            _ => {}
        }
    }
}
