//! The rows of the impulse system and their terms.

use glam::{DMat3, DVec3};

/// Two points that have to be apart, `base + τ n · J z ≥ target`, with friction between them.
///
/// ```text
/// λ n + λₜ        |λₜ| ≤ μ λ,   and λₜ ends the slip s, or is μ λ against it        s = slip + τ (1 − n nᵀ) J z
/// ```
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
    /// τ² n · J M⁻¹ Jᵀ n, and the largest value of the same for a direction across n, in 1/kg.
    pub(super) softness: f64,
    pub(super) softness_across: f64,
    /// λ, in kg m.
    pub(super) push: f64,
    /// Coulomb's coefficient μ.
    pub(super) friction: f64,
    /// The way of the first point relative to the second until that time without impulses, across n, in m.
    pub(super) slip: DVec3,
    /// λₜ, in kg m.
    pub(super) drag: DVec3,
}

/// The dependence of a row on a body that moves as a whole: on its displacement and its rotation vector.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidTerm {
    /// The displacement; the rotation vector follows it.
    pub(super) slot: u32,
    /// τ, negative on the second side.
    pub(super) weight: f64,
    /// From the centre of the body to the point, in m.
    pub(super) arm: DVec3,
    /// Part of the inverse mass in 1/kg, and of the inverse moment of inertia in 1/(kg m²), that an impulse sees.
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: DMat3,
}

/// The dependence of a row on a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeTerm {
    pub(super) slot: u32,
    /// τ times the weight of the node, and the inverse mass times that.
    pub(super) weight: f64,
    pub(super) change: f64,
}

/// Increase of the target over the missing distance.
const EXTRA_TARGET: f64 = 0.05;

impl RigidTerm {
    /// The displacement of the point by that of the body, times the weight, in m.
    pub(super) fn moved(&self, shift: &[DVec3]) -> DVec3 {
        let [way, turn] = [0, 1].map(|k| shift[self.slot as usize + k]);
        self.weight * (way + turn.cross(self.arm))
    }

    /// Adds the motion of the body by an impulse of the row, in kg m.
    pub(super) fn push(&self, impulse: DVec3, shift: &mut [DVec3]) {
        let impulse = self.weight * impulse;
        shift[self.slot as usize] += self.inverse_mass * impulse;
        shift[self.slot as usize + 1] += self.inverse_inertia * self.arm.cross(impulse);
    }

    /// Adds the mobility of the point, τ² J M⁻¹ Jᵀ, in 1/kg.
    pub(super) fn add_mobility(&self, sum: &mut DMat3) {
        let across = cross_matrix(self.arm);
        let turning = across.transpose() * self.inverse_inertia * across;
        *sum += self.weight
            * self.weight
            * (DMat3::from_diagonal(DVec3::splat(self.inverse_mass)) + turning);
    }
}

/// The matrix of `v ↦ r × v`.
fn cross_matrix(r: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, r.z, -r.y),
        DVec3::new(-r.z, 0.0, r.x),
        DVec3::new(r.y, -r.x, 0.0),
    )
}

impl ImpulseRow {
    /// The part of a vector across n.
    pub(super) fn across(&self, vector: DVec3) -> DVec3 {
        vector - self.normal.dot(vector) * self.normal
    }

    /// λ n + λₜ, in kg m.
    pub(super) fn impulse(&self) -> DVec3 {
        self.push * self.normal + self.drag
    }

    /// With the compliances of the mobility τ² J M⁻¹ Jᵀ of its points, in 1/kg.
    pub(super) fn with_mobility(self, mobility: &DMat3) -> Self {
        let softness = self.normal.dot(*mobility * self.normal);
        let (s, t) = self.normal.any_orthonormal_pair();
        let [first, second] = [s, t].map(|along| along.dot(*mobility * along));
        // The larger eigenvalue of a symmetric 2×2 matrix.
        let (mean, half) = (0.5 * (first + second), 0.5 * (first - second));
        let softness_across = mean + half.hypot(s.dot(*mobility * t));
        Self { softness, softness_across, ..self }
    }

    /// Raises target and tolerance of points that approach fast from afar: a tolerance of a part of the path is reached much
    /// sooner than one of a part of the separation, and the next step closes the rest.
    pub(super) fn raise_target(&mut self, distance: f64) {
        let extra = EXTRA_TARGET * (self.target - self.base).max(0.0);
        let target = (self.target + extra).min(0.5 * distance).max(self.target);
        self.slack += target - self.target;
        self.target = target;
    }
}
