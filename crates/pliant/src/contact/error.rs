//! What can be wrong with an obstacle.

use crate::geometry::ShapeError;

/// An obstacle that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// Its shape is at fault.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Its place is not finite, too far away, or its rotation is not of unit length.
    #[error(
        "an obstacle is placed at {pose}, expected finite numbers within 1e9 m and a rotation of unit length"
    )]
    Pose {
        /// The pose as given.
        pose: String,
    },
    /// Its motion is at fault.
    #[error(
        "an obstacle moves by {ramp}, expected finite numbers, lengths of at most 1e9 m, end ≥ start and an axis with a direction"
    )]
    Ramp {
        /// The ramp as given.
        ramp: String,
    },
    /// Friction that is none.
    #[error("friction is {value}, expected 0 to 100: rubber on concrete has 1, ice 0.03")]
    Friction {
        /// The coefficient given.
        value: f64,
    },
}
