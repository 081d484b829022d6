//! Errors in a surface that are found before it is meshed.

use glam::DVec3;
use pliant::geometry::Surface;

/// An invalid surface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// The surface has no triangles.
    #[error("the surface has no triangles: there is nothing to make a body of")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} of the surface is at {position}: coordinates must be finite")]
    NotFinite {
        /// The index of the vertex.
        vertex: usize,
        /// Its position.
        position: DVec3,
    },
    /// A triangle or line refers to a missing vertex.
    #[error(
        "{what} {index} refers to vertex {vertex}, but the surface has {vertex_count} vertices"
    )]
    OutOfRange {
        /// `triangle` or `line`.
        what: &'static str,
        /// The index of the triangle or line.
        index: usize,
        /// The missing vertex.
        vertex: u32,
        /// The number of vertices.
        vertex_count: usize,
    },
    /// Every triangle is degenerate: a line or a point.
    #[error("all {triangle_count} triangles of the surface are lines or points: none has an area")]
    Degenerate {
        /// The number of triangles.
        triangle_count: usize,
    },
}

/// Checks that the surface has triangles, that they refer to existing vertices, that coordinates are finite and that at
/// least one triangle has an area.
pub fn check_surface(surface: &Surface) -> Result<(), SurfaceError> {
    if surface.triangles.is_empty() {
        return Err(SurfaceError::Empty);
    }
    check_finite(surface)?;
    check_indices("triangle", &surface.triangles, surface.vertices.len())?;
    let flat = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a) == DVec3::ZERO;
    if surface.corners().all(flat) {
        return Err(SurfaceError::Degenerate { triangle_count: surface.triangles.len() });
    }
    Ok(())
}

/// Checks that no coordinate is NaN or infinite.
pub(crate) fn check_finite(surface: &Surface) -> Result<(), SurfaceError> {
    match surface.vertices.iter().position(|x| !x.is_finite()) {
        Some(vertex) => Err(SurfaceError::NotFinite { vertex, position: surface.vertices[vertex] }),
        None => Ok(()),
    }
}

/// Checks that triangles, or lines, refer to existing vertices.
pub(crate) fn check_indices<const N: usize>(
    what: &'static str,
    list: &[[u32; N]],
    vertex_count: usize,
) -> Result<(), SurfaceError> {
    for (index, item) in list.iter().enumerate() {
        if let Some(&vertex) = item.iter().find(|vertex| **vertex as usize >= vertex_count) {
            return Err(SurfaceError::OutOfRange { what, index, vertex, vertex_count });
        }
    }
    Ok(())
}
