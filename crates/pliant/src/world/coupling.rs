//! How a world meets other simulations.

use glam::DVec3;

use crate::body::{Skin, SkinMotion};
use crate::force::{Wind, WindError};

use super::entry::Entry;
use super::{Handle, World};

/// Loads that cannot act on a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A handle of another world.
    #[error("there is no body {index} in this world, which has {count}")]
    NoSuchBody {
        /// Its place.
        index: u32,
        /// Bodies there are.
        count: usize,
    },
    /// A list of another length than there are things to push.
    #[error(
        "{given} {what} were given, but the skin of the body has {expected} {per}; give one for each, in the order of `World::skin`, or none"
    )]
    Count {
        /// What was given.
        what: &'static str,
        /// How many.
        given: usize,
        /// How many there must be.
        expected: usize,
        /// What each is for.
        per: &'static str,
    },
    /// A value that is no load.
    #[error(
        "number {index} of the {what} is ({x}, {y}, {z}), expected three numbers of at most 1e15 {unit}"
    )]
    Value {
        /// What was given.
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

/// The largest component of a load that still leaves digits for a body.
const MOST_LOAD: f64 = 1e15;

impl World {
    /// The skin through which a body meets other simulations: its own, or its boundary. Loads are given for its triangles and
    /// vertices in their order.
    ///
    /// # Errors
    ///
    /// A handle of another world.
    pub fn skin(&mut self, handle: Handle) -> Result<&Skin, LoadError> {
        Ok(self.coupled(handle)?.skin())
    }

    /// Writes where the skin of a body is and how it moves: what other simulations see of it.
    ///
    /// # Errors
    ///
    /// A handle of another world.
    pub fn skin_motion(
        &mut self,
        handle: Handle,
        motion: &mut SkinMotion,
    ) -> Result<(), LoadError> {
        let entry = self.coupled(handle)?;
        entry.skin();
        if let Some(contact) = &entry.contact {
            motion.follow(contact.skin(), &entry.body.state);
        }
        Ok(())
    }

    /// Lets tractions act on the skin of a body from the next step on until they are given anew, in Pa, one for each triangle of
    /// [`World::skin`]; an empty list takes them away.
    ///
    /// The force on a triangle is its traction times the area that it has at the begin of each step. A pressure p is the traction
    /// −p n with the normal n of [`SkinMotion::areas`].
    ///
    /// Like gravity and pulls they last, so that who couples at a slower pace than the world still pushes in every step, and
    /// a body can fall asleep under a load. It wakes when its load changes by what would make one of its nodes, in one step, faster
    /// than a sleeper may be.
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
    /// A list of another length, a value that is not finite or beyond 1e15 Pa, a handle of another world. Then nothing has changed.
    pub fn set_tractions(&mut self, handle: Handle, tractions: &[DVec3]) -> Result<(), LoadError> {
        let entry = self.coupled(handle)?;
        check(tractions, entry.skin().triangles().len(), TRACTIONS)?;
        entry.loads.set_tractions(tractions);
        Ok(())
    }

    /// The same for forces, in N, one for each vertex of [`World::skin`]; they add to tractions.
    ///
    /// # Errors
    ///
    /// As for [`World::set_tractions`].
    pub fn set_skin_forces(&mut self, handle: Handle, forces: &[DVec3]) -> Result<(), LoadError> {
        let entry = self.coupled(handle)?;
        check(forces, entry.skin().vertex_count(), FORCES)?;
        entry.loads.set_forces(forces);
        Ok(())
    }

    /// The wind that blows, if any does.
    pub fn wind(&self) -> Option<&Wind> {
        self.wind.as_ref()
    }

    /// Lets a wind blow at all bodies; none lets it drop. Sleepers wake if they feel the difference.
    ///
    /// # Errors
    ///
    /// A number out of range; then nothing is changed.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), WindError> {
        wind.iter().try_for_each(Wind::check)?;
        self.wind_changed |= self.wind != wind;
        self.wind = wind;
        Ok(())
    }

    fn coupled(&mut self, Handle { index, .. }: Handle) -> Result<&mut Entry, LoadError> {
        let count = self.entries.len();
        self.entries.get_mut(index).ok_or(LoadError::NoSuchBody { index, count })
    }
}

/// What is given, what for, and in which unit.
type Kind = [&'static str; 3];
const TRACTIONS: Kind = ["tractions", "triangles", "Pa"];
const FORCES: Kind = ["forces", "vertices", "N"];

fn check(values: &[DVec3], expected: usize, [what, per, unit]: Kind) -> Result<(), LoadError> {
    let given = values.len();
    if given != 0 && given != expected {
        return Err(LoadError::Count { what, given, expected, per });
    }
    let possible = |value: &DVec3| value.abs().cmple(DVec3::splat(MOST_LOAD)).all();
    match values.iter().enumerate().find(|(_, value)| !possible(value)) {
        Some((index, &DVec3 { x, y, z })) => Err(LoadError::Value { what, index, x, y, z, unit }),
        None => Ok(()),
    }
}
