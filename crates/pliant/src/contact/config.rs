//! What the user chooses of how a body touches.

use super::ObstacleError;
use super::obstacle::check_friction;

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
    /// Coulomb's coefficient μ (default `0.5`). Between two bodies it is the geometric mean of theirs.
    pub friction: f64,
    /// Whether it meets itself (default `false`: finding out costs about as much as meeting another).
    pub with_itself: bool,
    /// Layers it is in, a bit for each (default the first).
    pub layers: u32,
    /// Layers it meets, a bit for each (default all). Two bodies meet if each meets a layer of the other.
    pub meets: u32,
}

impl Default for ContactConfig {
    fn default() -> Self {
        Self { friction: 0.5, with_itself: false, layers: 1, meets: u32::MAX }
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
