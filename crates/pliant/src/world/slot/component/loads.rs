//! Loads on one body from outside.

use crate::force::PointForces;

use super::skin_loads::SkinLoads;

/// Loads on one body.
#[derive(Debug, Clone, Default)]
pub(crate) struct SlotLoads {
    /// Tractions, forces and wind on the skin.
    pub(crate) skin: SkinLoads,
    /// Forces of obstacles, pulls and loads on points, in one substep.
    pub(crate) points: PointForces,
}
