//! The range of friction coefficients.

use crate::contact::error::ObstacleError;

/// The roughest friction that can be meant.
const LARGEST_FRICTION: f64 = 100.0;

/// Refuses friction that is none.
pub(in crate::contact) fn check_friction(value: f64) -> Result<(), ObstacleError> {
    if (0.0..=LARGEST_FRICTION).contains(&value) {
        Ok(())
    } else {
        Err(ObstacleError::Friction { value })
    }
}
