//! The rows of the impulse system and their terms.

use glam::DVec3;

/// Two points that have to be apart: `base + τ n · J z ≥ target`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImpulseRow {
    pub(super) key: [u32; 7],
    pub(super) surfaces: [u32; 2],
    /// Ranges of its terms, of rigid bodies and of nodes.
    pub(super) turning: [u32; 2],
    pub(super) nodes: [u32; 2],
    pub(super) normal: DVec3,
    /// τ: the part of the step after which they have to be apart. The end; if they are apart there, the time of the hit.
    pub(super) time: f64,
    /// Their distance at that time without impulses, in m.
    pub(super) base: f64,
    /// The required distance, in m.
    pub(super) target: f64,
    /// Tolerance of the required distance, in m.
    pub(super) slack: f64,
    /// τ² n · J M⁻¹ Jᵀ n, in 1/kg.
    pub(super) softness: f64,
    /// λ, in kg m.
    pub(super) push: f64,
}

/// The dependence of a row on a vector of z of a rigid body.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidTerm {
    pub(super) slot: u32,
    /// τ Jᵀ n, and M⁻¹ times that.
    pub(super) gradient: DVec3,
    pub(super) change: DVec3,
}

/// The dependence of a row on a node: along n.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeTerm {
    pub(super) slot: u32,
    /// τ times the weight of the node, and the inverse mass times that.
    pub(super) weight: f64,
    pub(super) change: f64,
}

/// Increase of the target over the missing distance.
const EXTRA_TARGET: f64 = 0.05;

impl ImpulseRow {
    /// Raises target and tolerance of points that approach fast from afar: a tolerance of a part of the path is reached much
    /// sooner than one of a part of the separation, and the next step closes the rest.
    pub(super) fn raise_target(&mut self, distance: f64) {
        let extra = EXTRA_TARGET * (self.target - self.base).max(0.0);
        let target = (self.target + extra).min(0.5 * distance).max(self.target);
        self.slack += target - self.target;
        self.target = target;
    }
}
