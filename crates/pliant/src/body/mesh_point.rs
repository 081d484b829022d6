//! A point of a mesh.

use glam::DVec3;

/// A point of a mesh: a cell and a reference coordinate in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshPoint {
    /// The cell.
    pub cell: u32,
    /// ξ. A point slightly outside the mesh has a ξ slightly outside the reference cell of the nearest cell, and
    /// moves as if that cell were extended.
    pub xi: DVec3,
}
