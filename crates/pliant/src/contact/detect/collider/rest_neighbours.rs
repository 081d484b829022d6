//! Triangles of a skin that lie near a vertex at rest, and are no contact.

/// For every vertex, the triangles it never touches, since it lies near them at rest: those around it, those of the
/// same side of the surface, and those behind it, through the material. Found once, so that no step finds them again.
#[derive(Debug, Clone, Default)]
pub(crate) struct RestNeighbours {
    /// Triangles of vertex `v` are `triangles[starts[v]..starts[v + 1]]`, rising.
    pub(super) starts: Vec<u32>,
    pub(super) triangles: Vec<u32>,
}

impl RestNeighbours {
    /// Whether a vertex never touches a triangle.
    pub(crate) fn contains(&self, vertex: u32, triangle: u32) -> bool {
        let vertex = vertex as usize;
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.triangles[range].binary_search(&triangle).is_ok()
    }
}
