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

/// A surface that cannot touch anything.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ColliderError {
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count}, numbered from 0")]
    Vertex {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A vertex is nowhere.
    #[error("vertex {vertex} is at ({x}, {y}, {z}), expected three finite numbers, in m")]
    Position {
        /// The vertex.
        vertex: usize,
        /// Its first coordinate.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
}
