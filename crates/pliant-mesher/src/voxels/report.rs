//! Figures about a voxel body.

use super::InsideRule;

/// Figures about a voxel body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelReport {
    /// The side of the cells, in m.
    pub cell_size: f64,
    /// The side of the leaves, in m.
    pub leaf_size: f64,
    /// The number of cells.
    pub cell_count: usize,
    /// The number of nodes.
    pub node_count: usize,
    /// The number of cells that share their grid cell with another one, because it contains several pieces of matter.
    pub shared_place_count: usize,
    /// The number of connected parts of the body.
    pub part_count: usize,
    /// The number of leaves that the surface passes through.
    pub boundary_leaf_count: usize,
    /// The number of leaves completely inside.
    pub inside_leaf_count: usize,
    /// The volume of matter, in m³: the sum of leaves times their fill.
    pub volume: f64,
    /// The rule that decided about inside and outside.
    pub inside: InsideRule,
}
