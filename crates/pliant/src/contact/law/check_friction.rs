//! The range of friction coefficients.

use crate::contact::error::ObstacleError;

/// The largest friction coefficient that is accepted.
const LARGEST_FRICTION: f64 = 100.0;

/// Returns an error if a friction coefficient is invalid.
pub(in crate::contact) fn check_friction(value: f64) -> Result<(), ObstacleError> {
    if (0.0..=LARGEST_FRICTION).contains(&value) {
        Ok(())
    } else {
        Err(ObstacleError::Friction { value })
    }
}
