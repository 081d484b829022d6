//! Triangles near a vertex at rest, which are excluded from self-contact.

use pliant_kernels::math::Rows;

/// For every vertex, the triangles excluded from its self-contact since they are near it at rest: those around it, those of the
/// same side of the surface, and those behind it, through the material. Found once per surface.
#[derive(Debug, Clone, Default)]
pub(crate) struct RestNeighbours {
    /// Triangles of each vertex, in ascending order.
    pub(super) triangles: Rows,
}

impl RestNeighbours {
    /// True if a triangle is excluded from the self-contact of a vertex.
    pub(crate) fn contains(&self, vertex: u32, triangle: u32) -> bool {
        self.triangles.row(vertex as usize).binary_search(&triangle).is_ok()
    }
}
