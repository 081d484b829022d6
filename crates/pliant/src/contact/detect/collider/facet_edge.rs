//! Edges of a surface.

/// An edge with the triangles on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FacetEdge {
    pub(crate) vertices: [u32; 2],
    /// The second triangle is missing at an open border.
    pub(crate) triangles: [Option<u32>; 2],
}
