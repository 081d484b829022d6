//! Where a point is in a mesh.

use glam::DVec3;

/// A point of a cell: the cell and the reference coordinate in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The cell.
    pub cell: u32,
    /// ξ. A point that lies a little outside the mesh has the ξ of the nearest cell, a little outside
    /// its reference cell: it moves as if the cell went on.
    pub xi: DVec3,
}
