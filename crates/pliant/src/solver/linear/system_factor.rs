//! The factor of a system as a solver of its own, for quasi-Newton iterations.

use glam::DVec3;

use crate::solver::report::LinearReport;

use super::conjugate_gradient::Preconditioner;
use super::factor::Precision;
use super::method::Method;
use super::nodes::{Scales, SystemParts};
use super::system::LinearSystem;

/// The largest ratio of stiffness and inertia of a node whose factor is applied in single precision: rounding of 6e-8 is then a few
/// per cent of the softest motion.
const LARGEST_RATIO: f64 = 1e5;

impl LinearSystem {
    /// True if solves use a factor that turns with the body.
    pub fn uses_factor(&self) -> bool {
        let Method::Turned(factor) = &self.method else { return false };
        self.rigid_subspace.is_empty() && factor.is_used()
    }

    /// Prepares [`LinearSystem::apply_factor`] with the factor of an earlier system, without a linearisation; false if there is none, or if
    /// a new one is due. Norms are those of the last system that was prepared.
    pub fn open_factor(&mut self, parts: &SystemParts<'_>, scales: Scales) -> bool {
        let Method::Turned(factor) = &mut self.method else { return false };
        let opens = factor.reuse(parts);
        if opens {
            self.scales = scales;
        }
        opens
    }

    /// Factors the system that was prepared; false if it has no factor.
    pub fn renew_factor(&mut self, parts: &mut SystemParts<'_>, report: &mut LinearReport) -> bool {
        let precision = self.precision(parts);
        let Method::Turned(factor) = &mut self.method else { return false };
        factor.renew(parts, &self.scales, precision, report)
    }

    /// Writes z ≈ (CᵀAC)⁻¹ r with the factor at hand.
    pub fn apply_factor(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        if let Method::Turned(factor) = &mut self.method {
            factor.apply(r, z);
        }
    }

    /// Records iterations with this factor.
    pub fn note_iterations(&mut self, iterations: u32) {
        if let Method::Turned(factor) = &mut self.method {
            factor.note(iterations);
        }
    }

    /// The precision in which a factor of the system that was prepared may be applied.
    pub(super) fn precision(&self, parts: &SystemParts<'_>) -> Precision {
        let is_soft = |(weight, node): (&f64, &u32)| {
            let mass = self.scales.mass * parts.masses.diagonal(*node as usize);
            weight * mass * LARGEST_RATIO > 1.0 || *weight == 0.0
        };
        let is_plain = parts.points.is_empty();
        if is_plain && self.weights.iter().zip(parts.unknowns.nodes()).all(is_soft) {
            Precision::Single
        } else {
            Precision::Double
        }
    }
}
