//! What voxels were made.

use super::Inside;

/// Figures of a voxel body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelReport {
    /// Side of the cells, in m.
    pub cell_size: f64,
    /// Side of the leaves, in m.
    pub leaf_size: f64,
    /// Number of cells.
    pub cell_count: usize,
    /// Number of nodes.
    pub node_count: usize,
    /// How many cells share their place with another, because it holds several pieces of matter.
    pub shared_place_count: usize,
    /// Parts of the body that do not touch.
    pub part_count: usize,
    /// Leaves that the surface passes through.
    pub boundary_leaf_count: usize,
    /// Leaves wholly inside.
    pub inside_leaf_count: usize,
    /// Volume of matter, in m³: leaves by how full they are.
    pub volume: f64,
    /// What decided about inside and outside.
    pub inside: Inside,
}
