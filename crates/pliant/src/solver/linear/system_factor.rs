//! The factor of a system as a solver of its own, for quasi-Newton iterations.

use glam::DVec3;

use crate::solver::report::LinearReport;

use super::conjugate_gradient::Preconditioner;
use super::factor::{Precision, TurnedFactor, precision_for};
use super::method::Method;
use super::nodes::{Scales, SystemParts};
use super::system::LinearSystem;

impl LinearSystem {
    /// The factor that turns with the body.
    pub(super) fn turned_factor(&self) -> Option<&TurnedFactor> {
        match &self.method {
            Method::Turned(factor) => Some(factor),
            _ => self.smooth.as_deref(),
        }
    }

    /// The factor that turns with the body.
    pub(super) fn turned_factor_mut(&mut self) -> Option<&mut TurnedFactor> {
        match &mut self.method {
            Method::Turned(factor) => Some(factor),
            _ => self.smooth.as_deref_mut(),
        }
    }

    /// True if smooth steps use a factor that turns with the body.
    pub fn uses_factor(&self) -> bool {
        self.rigid_subspace.is_empty() && self.turned_factor().is_some_and(TurnedFactor::is_used)
    }

    /// True if the next factor is due, and can be computed while the present one is in use. It needs a linearisation.
    pub fn wants_next_factor(&mut self, parts: &SystemParts<'_>) -> bool {
        let precision = self.precision(parts);
        self.turned_factor_mut().is_some_and(|factor| factor.wants_next(parts, precision))
    }

    /// Begins the next factor, with the system that was prepared.
    pub fn start_next_factor(&mut self, parts: &mut SystemParts<'_>, report: &mut LinearReport) {
        let scales = self.scales;
        if let Some(factor) = self.turned_factor_mut() {
            factor.start_next(parts, &scales, report);
        }
    }

    /// Prepares [`LinearSystem::apply_factor`] with the factor of an earlier system, without a linearisation; false if there is none, or if
    /// a new one is due. Norms are those of the last system that was prepared.
    pub fn open_factor(&mut self, parts: &SystemParts<'_>, scales: Scales) -> bool {
        let opens = self.turned_factor_mut().is_some_and(|factor| factor.reuse(parts));
        if opens {
            self.scales = scales;
        }
        opens
    }

    /// Factors the system that was prepared; false if it has no factor.
    pub fn renew_factor(&mut self, parts: &mut SystemParts<'_>, report: &mut LinearReport) -> bool {
        let (precision, scales) = (self.precision(parts), self.scales);
        let factor = self.turned_factor_mut();
        factor.is_some_and(|factor| factor.renew(parts, &scales, precision, report))
    }

    /// Writes z ≈ (CᵀAC)⁻¹ r with the factor at hand.
    pub fn apply_factor(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        if let Some(factor) = self.turned_factor_mut() {
            factor.apply(r, z);
        }
    }

    /// Records iterations with this factor.
    pub fn note_iterations(&mut self, iterations: u32) {
        if let Some(factor) = self.turned_factor_mut() {
            factor.note(iterations);
        }
    }

    /// The precision in which a factor of the system that was prepared may be applied.
    pub(super) fn precision(&self, parts: &SystemParts<'_>) -> Precision {
        match parts.points.is_empty() {
            true => precision_for(&self.weights, &self.scales, parts),
            false => Precision::Double,
        }
    }
}
