//! Contacts of vertices with an obstacle.

use crate::contact::law::half_space::HalfSpace;

/// A vertex in contact with an obstacle.
#[derive(Debug, Clone, Copy)]
pub(super) struct VertexContact {
    pub(super) vertex: usize,
    pub(super) plane: HalfSpace,
    /// Distance to the plane, in m; negative inside.
    pub(super) gap: f64,
    /// Depth of the overlap that is ignored, in m.
    pub(super) ignored_depth: f64,
}
