//! Making a shape the one at rest while a world runs.

use std::sync::Arc;

use crate::body::{Body, BodyError, Model, ModelError};
use crate::solver::MethodError;

use super::{Handle, World};

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
    /// Cells that are folded or too distorted, or a body that has no shape of its own.
    #[error("the present shape cannot be the one at rest: {0}")]
    Shape(#[from] ModelError),
    /// A model of another mesh.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The method does not go with the shape.
    #[error(transparent)]
    Method(#[from] MethodError),
}

impl World {
    /// Makes the present shape of a body the one that it rests in: no stress, no plastic strain, and flow begins anew
    /// (annealing, Mezger et al. 2007, section 5.3). Where it is and how it moves stays, and so does what holds it, pulls at it or is
    /// attached to it. Returns what it was made of, for [`World::set_model`] to undo it.
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
    /// let before = world.commit(cube)?;
    /// assert!(world.energy().elastic < 1e-9);
    /// world.set_model(cube, before)?;
    /// assert!(world.energy().elastic > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Cells that are folded, or too distorted to be certified: the error names them. A rigid body; a handle of another
    /// world. Then nothing has changed.
    pub fn commit(&mut self, handle: Handle) -> Result<Arc<Model>, CommitError> {
        self.remodel(handle, |body| Ok(body.commit()?))
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
        self.remodel(handle, |body| Ok(body.set_model(model)?))
    }

    /// Wakes a body and changes what it is made of, and then what steps it; or nothing, if one of the two fails.
    fn remodel(
        &mut self,
        handle: Handle,
        change: impl FnOnce(&mut Body) -> Result<Arc<Model>, CommitError>,
    ) -> Result<Arc<Model>, CommitError> {
        let (index, count) = (handle.index, self.entries.len());
        self.wake(handle);
        let entry = self.entries.get_mut(index).ok_or(CommitError::NoSuchBody { index, count })?;
        let before = change(&mut entry.body)?;
        if let Err(error) = entry.renew_stepper() {
            // Of the same mesh: it can go back.
            entry.body.set_model(before)?;
            return Err(error.into());
        }
        (entry.astray, entry.fresh) = (true, true);
        Ok(before)
    }
}
