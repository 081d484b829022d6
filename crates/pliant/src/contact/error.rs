//! Errors of obstacles and of friction.

use pliant_mesh::geometry::ShapeError;

/// An invalid obstacle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// The shape is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The pose is not finite, too far away, or its rotation is not of unit length.
    #[error(
        "an obstacle is placed at {pose}, expected finite numbers within 1e9 m and a rotation of unit length"
    )]
    Pose {
        /// The pose as given.
        pose: String,
    },
    /// The motion is invalid.
    #[error(
        "an obstacle moves by {ramp}, expected finite numbers, lengths of at most 1e9 m, end ≥ start and an axis with a direction"
    )]
    Ramp {
        /// The ramp as given.
        ramp: String,
    },
    /// The friction coefficient is invalid.
    #[error("friction is {value}, expected 0 to 100: rubber on concrete has 1, ice 0.03")]
    Friction {
        /// The coefficient given.
        value: f64,
    },
}
