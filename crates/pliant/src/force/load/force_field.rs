//! Force fields: accelerations within a region.

use glam::DVec3;

use super::error::FieldError;

/// An acceleration of all material within a ball, for some time.
///
/// ```
/// use glam::DVec3;
/// use pliant::force::{FieldKind, ForceField};
///
/// let lift = ForceField { kind: FieldKind::Steady(DVec3::Y * 12.0), ..Default::default() };
/// assert_eq!(lift.at(DVec3::X, 0.0), DVec3::Y * 12.0);
/// let swirl = ForceField { kind: FieldKind::Swirl { axis: DVec3::Y, strength: 5.0 }, ..lift };
/// assert_eq!(swirl.at(DVec3::X, 0.0), DVec3::NEG_Z * 5.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceField {
    /// The centre of the ball, in m (default the origin).
    pub centre: DVec3,
    /// Its radius, in m (default `∞`: everywhere).
    pub radius: f64,
    /// The direction and strength.
    pub kind: FieldKind,
    /// Start time, in s (default `0`).
    pub start: f64,
    /// End time, in s (default `∞`).
    pub end: f64,
}

/// Direction and strength of a [`ForceField`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldKind {
    /// A uniform acceleration, in m/s².
    Steady(DVec3),
    /// Towards the centre, in m/s²; away from it if negative.
    Towards(f64),
    /// About an axis through the centre, right-handed.
    Swirl {
        /// The direction of the axis; its length does not matter.
        axis: DVec3,
        /// Acceleration, in m/s².
        strength: f64,
    },
}

impl Default for ForceField {
    fn default() -> Self {
        let kind = FieldKind::Steady(DVec3::ZERO);
        Self { centre: DVec3::ZERO, radius: f64::INFINITY, kind, start: 0.0, end: f64::INFINITY }
    }
}

/// The largest acceleration, in m/s².
const MAX_ACCELERATION: f64 = 1e9;

impl ForceField {
    /// Checks every number.
    ///
    /// # Errors
    ///
    /// The first number that is out of range.
    pub fn check(&self) -> Result<(), FieldError> {
        let Self { centre, radius, kind, start, end } = *self;
        let bad = |field, value, expected| Err(FieldError::OutOfRange { field, value, expected });
        let strength = match kind {
            FieldKind::Steady(by) => by.length(),
            FieldKind::Towards(strength) => strength.abs(),
            FieldKind::Swirl { axis, .. } if axis.try_normalize().is_none() => {
                return bad("the axis of a field", axis.length(), "a direction, such as (0, 1, 0)");
            }
            FieldKind::Swirl { strength, .. } => strength.abs(),
        };
        if !(0.0..=MAX_ACCELERATION).contains(&strength) {
            return bad("the strength of a field", strength, "at most 1e9 m/s²");
        }
        if !centre.is_finite() {
            return bad("the centre of a field", f64::NAN, "three finite numbers, in m");
        }
        if radius.is_nan() || radius <= 0.0 {
            return bad("the radius of a field", radius, "a number above 0, in m");
        }
        if !(start.is_finite() && end >= start) {
            return bad("the end of a field", end, "a time in s after its start");
        }
        Ok(())
    }

    /// The acceleration at a position and time, in m/s².
    pub fn at(&self, x: DVec3, t: f64) -> DVec3 {
        let away = x - self.centre;
        if !self.acts(t) || away.length() > self.radius {
            return DVec3::ZERO;
        }
        match self.kind {
            FieldKind::Steady(by) => by,
            FieldKind::Towards(strength) => -strength * away.normalize_or_zero(),
            FieldKind::Swirl { axis, strength } => strength * axis.cross(away).normalize_or_zero(),
        }
    }

    /// True if the field is active at a time.
    pub fn acts(&self, t: f64) -> bool {
        (self.start..self.end).contains(&t)
    }
}
