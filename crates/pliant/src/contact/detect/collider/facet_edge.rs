//! Edges of a surface.

/// An edge between two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FacetEdge {
    pub(crate) vertices: [u32; 2],
    /// The second is missing at an open border.
    pub(crate) triangles: [Option<u32>; 2],
}
