//! Errors of surfaces.

/// An invalid surface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ColliderError {
    /// A triangle refers to a missing vertex.
    #[error("triangle {triangle} names vertex {vertex}, but there are {count}, numbered from 0")]
    Vertex {
        /// The triangle.
        triangle: usize,
        /// The vertex it refers to.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A position is not finite.
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
