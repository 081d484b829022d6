//! Loads on skins, for coupling with other simulations.

use glam::DVec3;

use crate::body::{Body, Skin, SkinMotion};
use crate::world::slot::handle::{BodyHandle, HandleError};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

/// Invalid loads on a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A handle that names no body of this world.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// A list of the wrong length.
    #[error(
        "{given} {what} were given, but the skin of the body has {expected} {per}; give one for each, in the order of `World::skin`, or none"
    )]
    Count {
        /// The kind of load.
        what: &'static str,
        /// How many.
        given: usize,
        /// How many there must be.
        expected: usize,
        /// The things that each value acts on.
        per: &'static str,
    },
    /// A value that is not finite or too large.
    #[error(
        "number {index} of the {what} is ({x}, {y}, {z}), expected three numbers of at most 1e15 {unit}"
    )]
    Value {
        /// The kind of load.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
        /// Its unit.
        unit: &'static str,
    },
}

/// The largest component of a load that leaves enough digits for the forces of a body.
const MAX_LOAD: f64 = 1e15;

impl World {
    /// The skin of a body that touches, and on which loads act ([`Model::touching_skin`](crate::Model::touching_skin)). Loads are listed in
    /// the order of its triangles and vertices.
    ///
    /// # Errors
    ///
    /// An invalid handle.
    pub fn skin(&self, handle: BodyHandle) -> Result<&Skin, HandleError> {
        Ok(self.body_of(handle)?.model().touching_skin())
    }

    /// Writes position and velocity of the skin of a body, for other simulations.
    ///
    /// # Errors
    ///
    /// An invalid handle.
    pub fn skin_motion(
        &self,
        handle: BodyHandle,
        motion: &mut SkinMotion,
    ) -> Result<(), HandleError> {
        let body = self.body_of(handle)?;
        motion.follow(body.model().touching_skin(), &body.state);
        Ok(())
    }

    /// Sets tractions on the skin of a body, in Pa, one for each triangle of [`World::skin`]; an empty list removes them. They act
    /// from the next step until they are set again.
    ///
    /// The force on a triangle is its traction times its area at the start of each step. A pressure p is the traction
    /// −p n with the normal n of [`SkinMotion::areas`].
    ///
    /// Since they last, a simulation that is coupled at a slower rate still acts in every step, and a body can fall asleep under a
    /// load. It wakes when its load changes by enough to make one of its nodes faster than the sleep speed in one step.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model, SkinMotion};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model, vec![])?);
    /// let (mut motion, mut tractions) = (SkinMotion::default(), Vec::new());
    /// for _ in 0..10 {
    ///     world.skin_motion(cube, &mut motion)?; // to the other simulation
    ///     tractions.clear();
    ///     // A pressure of 200 Pa from all sides.
    ///     tractions.extend(motion.areas.iter().map(|area| -200.0 * area.normalize()));
    ///     world.set_tractions(cube, &tractions)?; // and back
    ///     world.step();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A list of the wrong length, a value that is not finite or above 1e15 Pa, an invalid handle. Then nothing has changed.
    pub fn set_tractions(
        &mut self,
        handle: BodyHandle,
        tractions: &[DVec3],
    ) -> Result<(), LoadError> {
        let slot = self.coupled(handle)?;
        check(tractions, slot.skin().triangles().len(), TRACTIONS)?;
        slot.loads.skin.set_tractions(tractions);
        Ok(())
    }

    /// Sets forces on the skin of a body, in N, one for each vertex of [`World::skin`]; they add to tractions.
    ///
    /// # Errors
    ///
    /// As for [`World::set_tractions`].
    pub fn set_skin_forces(
        &mut self,
        handle: BodyHandle,
        forces: &[DVec3],
    ) -> Result<(), LoadError> {
        let slot = self.coupled(handle)?;
        check(forces, slot.skin().vertex_count(), FORCES)?;
        slot.loads.skin.set_forces(forces);
        Ok(())
    }

    fn body_of(&self, handle: BodyHandle) -> Result<&Body, HandleError> {
        let index = self.slots.index_of(handle)?;
        Ok(&self.slots.get(index).expect("an index of a valid handle").body)
    }

    fn coupled(&mut self, handle: BodyHandle) -> Result<&mut BodySlot, LoadError> {
        let index = self.slots.index_of(handle)?;
        Ok(self.slots.get_mut(index).expect("an index of a valid handle"))
    }
}

/// The name of a load, of the things it acts on, and its unit.
type LoadKind = [&'static str; 3];
const TRACTIONS: LoadKind = ["tractions", "triangles", "Pa"];
const FORCES: LoadKind = ["forces", "vertices", "N"];

fn check(values: &[DVec3], expected: usize, [what, per, unit]: LoadKind) -> Result<(), LoadError> {
    let given = values.len();
    if given != 0 && given != expected {
        return Err(LoadError::Count { what, given, expected, per });
    }
    let possible = |value: &DVec3| value.abs().cmple(DVec3::splat(MAX_LOAD)).all();
    match values.iter().enumerate().find(|(_, value)| !possible(value)) {
        Some((index, &DVec3 { x, y, z })) => Err(LoadError::Value { what, index, x, y, z, unit }),
        None => Ok(()),
    }
}
