//! Changing the rest shape of a body while a world runs.

use crate::body::{Body, BodyError, FlowedModel, ModelError};
use crate::solver::MethodError;
use crate::world::report::event::{Event, EventKind};
use crate::world::slot::handle::{BodyHandle, HandleError};
use crate::world::world::World;

/// A shape that cannot be the rest shape of a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// A handle that names no body of this world.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// A rigid body, or positions that are not finite.
    #[error("the present shape cannot be the one at rest: {0}")]
    Shape(#[from] ModelError),
    /// A model of another mesh.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The method cannot step the new shape.
    #[error(transparent)]
    Method(#[from] MethodError),
}

/// The result of a change of the rest shape.
#[derive(Debug, Clone)]
pub struct Committed {
    /// The model and the plastic flow before, for [`World::set_model`] to undo the change.
    pub before: FlowedModel,
    /// Cells that keep their old rest shape, since the present one is not valid for them; sorted.
    pub kept: Vec<u32>,
}

/// The stress of a body after a change of its rest shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RestStress {
    /// None, as after [`World::commit`].
    Released,
    /// The same as before, as after [`World::anneal`]: only plastic strain is reset.
    Kept,
}

impl World {
    /// Makes the present shape of a body its rest shape, without stress and plastic strain
    /// (annealing, Mezger et al. 2007, section 5.3). Positions, velocities, pins, pulls and attachments stay. Cells that are folded or
    /// inverted keep their old rest shape ([`RestShape::committed`](crate::body::RestShape::committed)) and are listed in the result.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model, vec![])?);
    /// world.get_mut(cube).expect("it was added").state.x.iter_mut().for_each(|x| x.y *= 1.2);
    /// let committed = world.commit(cube)?;
    /// assert!(committed.kept.is_empty() && world.energy().elastic < 1e-9);
    /// world.set_model(cube, committed.before)?;
    /// assert!(world.energy().elastic > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A rigid body, or an invalid handle. Then nothing has changed.
    pub fn commit(&mut self, handle: BodyHandle) -> Result<Committed, CommitError> {
        self.wake(handle);
        self.rest_here(handle, RestStress::Released)
    }

    /// Counts plastic strain from the present shape on, without a change of forces: hardened material, or material at its plastic
    /// limit, can flow again (annealing in the background, Mezger et al. 2007, section 5.3). Material above its first yield stress flows on by
    /// a little, since its hardening is reset. For bodies that are plastic everywhere: [`RestShape::annealed`](crate::body::RestShape::annealed).
    ///
    /// # Errors
    ///
    /// A body with elastic or rigid parts, or an invalid handle. Then nothing has changed.
    pub fn anneal(&mut self, handle: BodyHandle) -> Result<Committed, CommitError> {
        self.rest_here(handle, RestStress::Kept)
    }

    /// Anneals bodies that no longer flow, if the settings ask for it; a body with elastic parts is left as it is.
    pub(crate) fn anneal_rested(&mut self) {
        let Some(after) = self.config.anneal else { return };
        for index in 0..self.slots.len() as u32 {
            let dt = self.config.dt;
            let slot = self.slots.get_mut(index);
            if !slot.is_some_and(|slot| slot.flow.has_stopped(after, dt)) {
                continue;
            }
            let body = self.slots.handle(index);
            if let Ok(Committed { kept, .. }) = self.anneal(body) {
                let kind = EventKind::Annealed { kept: kept.len() };
                self.record.events.push(Event { body, kind });
            }
        }
    }

    /// Makes the present shape of a body its rest shape.
    fn rest_here(
        &mut self,
        handle: BodyHandle,
        stress: RestStress,
    ) -> Result<Committed, CommitError> {
        let keeps_stress = stress == RestStress::Kept;
        let mut kept = Vec::new();
        let before = self.remodel(handle, |body| {
            let (before, cells) = body.rest_here(keeps_stress)?;
            kept = cells;
            Ok(before)
        })?;
        if let Some(slot) = self.slots.named_mut(handle).filter(|_| keeps_stress) {
            slot.flow.since = None;
        }
        Ok(Committed { before, kept })
    }

    /// Gives a body another model of the same mesh, and thus another rest shape, with the plastic flow that comes with it.
    /// Returns the old ones.
    ///
    /// # Errors
    ///
    /// A model of another mesh, or an invalid handle. Then nothing has changed.
    pub fn set_model(
        &mut self,
        handle: BodyHandle,
        model: impl Into<FlowedModel>,
    ) -> Result<FlowedModel, CommitError> {
        self.wake(handle);
        self.remodel(handle, |body| Ok(body.set_model(model.into())?))
    }

    /// Changes the model of a body and its stepper; or nothing, if one of the two fails.
    fn remodel(
        &mut self,
        handle: BodyHandle,
        change: impl FnOnce(&mut Body) -> Result<FlowedModel, CommitError>,
    ) -> Result<FlowedModel, CommitError> {
        let index = self.slots.index_of(handle)?;
        let slot = self.slots.get_mut(index).expect("an index of a valid handle");
        let before = change(&mut slot.body)?;
        if let Err(error) = slot.renew_stepper() {
            // The old model has the same mesh, so this cannot fail.
            slot.body.set_model(before)?;
            return Err(error.into());
        }
        slot.contact.make_stale();
        slot.flow.since = slot.body.rest_shape().has_flowed().then_some(0.0);
        Ok(before)
    }
}
