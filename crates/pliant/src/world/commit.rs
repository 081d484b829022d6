//! Making a shape the one at rest while a world runs.

use std::sync::Arc;

use crate::body::{Body, BodyError, Model, ModelError};
use crate::solver::MethodError;

use super::{Event, EventKind, Handle, World};

/// A shape that a body cannot rest in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// A handle of another world.
    #[error("there is no body {index} in this world, which has {count}")]
    NoSuchBody {
        /// Its place.
        index: u32,
        /// Bodies there are.
        count: usize,
    },
    /// A body that has no shape of its own, or positions that are no numbers.
    #[error("the present shape cannot be the one at rest: {0}")]
    Shape(#[from] ModelError),
    /// A model of another mesh.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The method does not go with the shape.
    #[error(transparent)]
    Method(#[from] MethodError),
}

/// A shape that has become the one at rest.
#[derive(Debug, Clone)]
pub struct Committed {
    /// What the body was made of, for [`World::set_model`] to undo it.
    pub before: Arc<Model>,
    /// Cells that keep the rest shape that they had, since they cannot be certified in the present one: by number, rising.
    pub kept: Vec<u32>,
}

impl World {
    /// Makes the present shape of a body the one that it rests in: no stress, no plastic strain, and flow begins anew
    /// (annealing, Mezger et al. 2007, section 5.3). Where it is and how it moves stays, and so does what holds it, pulls at it or is
    /// attached to it. Cells that are folded or inside out keep the rest shape that they had ([`Model::committed`]) and are told.
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
    /// world.body_mut(cube).expect("it was added").state.x.iter_mut().for_each(|x| x.y *= 1.2);
    /// let committed = world.commit(cube)?;
    /// assert!(committed.kept.is_empty() && world.energy().elastic < 1e-9);
    /// world.set_model(cube, committed.before)?;
    /// assert!(world.energy().elastic > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A rigid body; a handle of another world. Then nothing has changed.
    pub fn commit(&mut self, handle: Handle) -> Result<Committed, CommitError> {
        self.wake(handle);
        self.rest_here(handle, false)
    }

    /// Counts plastic strain from the present shape on, and changes no force: what a person who edits a shape does not notice, and
    /// what gives matter that is at its limit, or has hardened, room to flow again (Mezger et al. 2007, section 5.3, in the
    /// background). What is held beyond its first yield stress flows on by a little, since it forgets that it has hardened. For bodies
    /// that flow everywhere: [`Model::annealed`].
    ///
    /// # Errors
    ///
    /// A body of which a part is elastic or rigid; a handle of another world. Then nothing has changed.
    pub fn anneal(&mut self, handle: Handle) -> Result<Committed, CommitError> {
        self.rest_here(handle, true)
    }

    /// Anneals bodies that no longer flow, if the settings want that; one of which a part is elastic stays as it is.
    pub(super) fn anneal_the_rested(&mut self) {
        let Some(after) = self.config.anneal else { return };
        for index in 0..self.entries.len() as u32 {
            let dt = self.config.dt;
            let entry = self.entries.get_mut(index);
            if !entry.is_some_and(|entry| entry.has_stopped_flowing(after, dt)) {
                continue;
            }
            let body = Handle { index, generation: 0 };
            if let Ok(Committed { kept, .. }) = self.anneal(body) {
                let kind = EventKind::Annealed { kept: kept.len() };
                self.events.push(Event { body, kind });
            }
        }
    }

    fn rest_here(&mut self, handle: Handle, balanced: bool) -> Result<Committed, CommitError> {
        let mut told = Vec::new();
        let before = self.remodel(handle, |body| {
            let (before, kept) = body.rest_here(balanced)?;
            told = kept;
            Ok(before)
        })?;
        Ok(Committed { before, kept: told })
    }

    /// Lets a body rest in the shape of another model of its mesh, wherever it is. Returns what it was made of.
    ///
    /// # Errors
    ///
    /// A model of another mesh, a handle of another world. Then nothing has changed.
    pub fn set_model(
        &mut self,
        handle: Handle,
        model: Arc<Model>,
    ) -> Result<Arc<Model>, CommitError> {
        self.wake(handle);
        self.remodel(handle, |body| Ok(body.set_model(model)?))
    }

    /// Changes what a body is made of, and then what steps it; or nothing, if one of the two fails.
    fn remodel(
        &mut self,
        handle: Handle,
        change: impl FnOnce(&mut Body) -> Result<Arc<Model>, CommitError>,
    ) -> Result<Arc<Model>, CommitError> {
        let (index, count) = (handle.index, self.entries.len());
        let entry = self.entries.get_mut(index).ok_or(CommitError::NoSuchBody { index, count })?;
        let before = change(&mut entry.body)?;
        if let Err(error) = entry.renew_stepper() {
            // Of the same mesh: it can go back.
            entry.body.set_model(before)?;
            return Err(error.into());
        }
        entry.astray = true;
        Ok(before)
    }
}
