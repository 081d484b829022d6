//! What can be wrong with a surface before anything is made of it.

use glam::DVec3;
use pliant::geometry::Surface;

/// A surface that is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// No triangles at all.
    #[error("the surface has no triangles: there is nothing to make a body of")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} of the surface is at {position}: coordinates must be finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Where it is said to be.
        position: DVec3,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} refers to vertex {vertex}, but the surface has {vertex_count}")]
    OutOfRange {
        /// The triangle.
        triangle: usize,
        /// The missing vertex.
        vertex: usize,
        /// How many there are.
        vertex_count: usize,
    },
    /// Every triangle is a line or a point.
    #[error("all {triangle_count} triangles of the surface are lines or points: none has an area")]
    Degenerate {
        /// How many triangles there are.
        triangle_count: usize,
    },
}

/// Checks that there are triangles, that they name existing vertices, that coordinates are finite
/// and that some triangle has an area.
pub fn check_surface(surface: &Surface) -> Result<(), SurfaceError> {
    if surface.triangles.is_empty() {
        return Err(SurfaceError::Empty);
    }
    let infinite = surface.vertices.iter().position(|vertex| !vertex.is_finite());
    if let Some(vertex) = infinite {
        return Err(SurfaceError::NotFinite { vertex, position: surface.vertices[vertex] });
    }
    check_indices(surface)?;
    let flat = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a) == DVec3::ZERO;
    if surface.corners().all(flat) {
        return Err(SurfaceError::Degenerate { triangle_count: surface.triangles.len() });
    }
    Ok(())
}

fn check_indices(surface: &Surface) -> Result<(), SurfaceError> {
    let vertex_count = surface.vertices.len();
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|vertex| **vertex as usize >= vertex_count) {
            let vertex = *vertex as usize;
            return Err(SurfaceError::OutOfRange { triangle, vertex, vertex_count });
        }
    }
    Ok(())
}
