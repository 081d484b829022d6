//! Contact settings of a body.

use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::error::ObstacleError;
use super::law::check_friction::check_friction;

/// Contact settings of one body: friction, self-contact, layers and material.
///
/// ```
/// use pliant::ContactConfig;
///
/// let ghost = ContactConfig { meets: 0, ..Default::default() };
/// let rubber = ContactConfig { friction: 0.9, with_itself: true, ..Default::default() };
/// assert!(!ghost.allows(&rubber) && rubber.allows(&ContactConfig::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactConfig {
    /// Coulomb's coefficient μ (default `0.5`). Between two bodies it is the geometric mean of both, unless
    /// [`World::set_friction`](crate::World::set_friction) gave their materials one.
    pub friction: f64,
    /// True if the body is in contact with itself too (default `false`; the search costs about as much as contact with another body).
    pub with_itself: bool,
    /// Layers of the body, one bit each (default the first).
    pub layers: u32,
    /// Layers it can touch, one bit each (default all). Two bodies can touch if each of them can touch a layer of the other.
    pub meets: u32,
    /// Number of the material of its surface (default `0`), used to look up friction between two materials.
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

    /// True if the two bodies can touch.
    pub fn allows(&self, other: &Self) -> bool {
        self.meets & other.layers != 0 && other.meets & self.layers != 0
    }

    /// The friction coefficient between the two bodies.
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
