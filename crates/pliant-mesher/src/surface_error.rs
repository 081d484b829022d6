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
    /// A triangle or line names a vertex that is not there.
    #[error(
        "{what} {index} refers to vertex {vertex}, but the surface has {vertex_count} vertices"
    )]
    OutOfRange {
        /// `triangle` or `line`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The missing vertex.
        vertex: u32,
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

/// Checks that triangles, or lines, name existing vertices.
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
