//! Triangles near a vertex at rest, which are excluded from self-contact.

/// For every vertex, the triangles excluded from its self-contact since they are near it at rest: those around it, those of the
/// same side of the surface, and those behind it, through the material. Found once per surface.
#[derive(Debug, Clone, Default)]
pub(crate) struct RestNeighbours {
    /// Triangles of vertex `v` are `triangles[starts[v]..starts[v + 1]]`, in ascending order.
    pub(super) starts: Vec<u32>,
    pub(super) triangles: Vec<u32>,
}

impl RestNeighbours {
    /// True if a triangle is excluded from the self-contact of a vertex.
    pub(crate) fn contains(&self, vertex: u32, triangle: u32) -> bool {
        let vertex = vertex as usize;
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.triangles[range].binary_search(&triangle).is_ok()
    }
}
