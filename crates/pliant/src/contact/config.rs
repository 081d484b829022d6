//! What the user chooses of how a body touches.

use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::error::ObstacleError;
use super::law::check_friction::check_friction;

/// How one body meets others.
///
/// ```
/// use pliant::contact::ContactConfig;
///
/// let ghost = ContactConfig { meets: 0, ..Default::default() };
/// let rubber = ContactConfig { friction: 0.9, with_itself: true, ..Default::default() };
/// assert!(!ghost.allows(&rubber) && rubber.allows(&ContactConfig::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactConfig {
    /// Coulomb's coefficient μ (default `0.5`). Between two bodies it is the geometric mean of theirs, unless a
    /// [`FrictionTable`](crate::contact::FrictionTable) knows better.
    pub friction: f64,
    /// Whether it meets itself (default `false`: finding out costs about as much as meeting another).
    pub with_itself: bool,
    /// Layers it is in, a bit for each (default the first).
    pub layers: u32,
    /// Layers it meets, a bit for each (default all). Two bodies meet if each meets a layer of the other.
    pub meets: u32,
    /// Number of what its surface is made of (default `0`), by which friction between two materials is looked up.
    pub material: u32,
}

impl Default for ContactConfig {
    fn default() -> Self {
        Self { friction: 0.5, with_itself: false, layers: 1, meets: u32::MAX, material: 0 }
    }
}

impl ContactConfig {
    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), ObstacleError> {
        check_friction(self.friction)
    }

    /// Whether it meets another.
    pub fn allows(&self, other: &Self) -> bool {
        self.meets & other.layers != 0 && other.meets & self.layers != 0
    }

    /// Friction between it and another.
    pub fn friction_with(&self, other: &Self) -> f64 {
        (self.friction * other.friction).sqrt()
    }
}

impl Persist for ContactConfig {
    fn save(&self, to: &mut Writer) {
        let Self { friction, with_itself, layers, meets, material } = *self;
        to.f64(friction);
        to.flag(with_itself);
        to.u32(layers);
        to.u32(meets);
        to.u32(material);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        let (friction, with_itself) = (from.f64()?, from.flag()?);
        let (layers, meets, material) = (from.u32()?, from.u32()?, from.u32()?);
        let config = Self { friction, with_itself, layers, meets, material };
        config.check().map_err(|_| from.bad("how a body touches"))?;
        *self = config;
        Ok(())
    }
}
