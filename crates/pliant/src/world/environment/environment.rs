//! The surroundings of all bodies.

use crate::contact::FrictionTable;
use crate::force::{Blast, ForceField, Wind};
use crate::world::slot::component::skin_loads::WindAt;

use super::obstacles::Obstacles;

/// The surroundings of all bodies: obstacles, friction, wind, force fields and explosions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) obstacles: Obstacles,
    pub(crate) frictions: FrictionTable,
    pub(crate) wind: Option<Wind>,
    /// True if the wind was changed since the last step.
    pub(crate) wind_changed: bool,
    pub(crate) fields: Vec<ForceField>,
    pub(crate) blasts: Vec<Blast>,
}

impl Environment {
    /// The wind at a time in s.
    pub(crate) fn wind_at(&self, time: f64) -> WindAt<'_> {
        self.wind.as_ref().map(|wind| (wind, time))
    }
}
