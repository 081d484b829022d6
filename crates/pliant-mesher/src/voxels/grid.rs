//! The regular grid of cells and leaves around a surface.

use glam::DVec3;

use super::bounds::Bounds;
use super::{CellSize, VoxelConfig, VoxelError};

/// The relative margin of the box around the surface, so that its sides lie outside (Nesme et al. 2006, section 3.1).
const INFLATION: f64 = 0.01;
/// A grid of cubes around a surface, each divided into `resolution`³ leaves.
///
/// These are the mechanical and the finest level of an octree; its other levels need not be stored.
///
/// Leaves are numbered cell by cell, so that the leaves of a cell are contiguous in memory. Positions are measured in
/// leaves from the lowest corner, so that the algorithms do not depend on the size of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    /// The lowest corner, in m.
    pub(super) origin: DVec3,
    /// The side of a cell, in m.
    pub(super) cell_size: f64,
    /// The number of cells along the axes.
    pub(super) cells: [u32; 3],
    /// Log₂ of the number of leaves along a side of a cell.
    pub(super) levels: u32,
}

impl Grid {
    /// Memory per leaf of the grid, in bytes: its state and its piece.
    pub(super) const BYTES_PER_LEAF: f64 = 5.0;

    /// The grid around a box; an error if it would take too much memory.
    pub(super) fn new(bounds: Bounds, config: &VoxelConfig) -> Result<Self, VoxelError> {
        let margin = INFLATION * bounds.extent();
        let longest = bounds.extent() + margin;
        let (cell_size, depth) = match config.size {
            CellSize::Depth(depth) => (longest / f64::from(1u32 << depth), depth),
            CellSize::Length(length) => (length, depth_for((longest / length).ceil())),
        };
        let levels = config.levels(depth)?;
        // The tolerance avoids an extra cell when the box is a whole number of cells long up to rounding.
        let count = |extent: f64| ((extent + margin) / cell_size - 1e-9).ceil().max(1.0);
        let extent = bounds.high - bounds.low;
        let counts = DVec3::new(count(extent.x), count(extent.y), count(extent.z));
        let leaves = counts.element_product() * f64::from(1u32 << levels).powi(3);
        check_leaves(leaves, config.memory)?;
        let origin = bounds.low + 0.5 * extent - 0.5 * cell_size * counts;
        Ok(Self { origin, cell_size, cells: counts.to_array().map(|n| n as u32), levels })
    }

    /// The number of leaves along a side of a cell.
    pub(super) fn resolution(&self) -> u32 {
        1 << self.levels
    }

    /// The side of a leaf, in m.
    pub(super) fn leaf_size(&self) -> f64 {
        self.cell_size / f64::from(self.resolution())
    }

    /// The number of leaves in a cell.
    pub(super) fn leaves_per_cell(&self) -> usize {
        1 << (3 * self.levels)
    }

    /// The number of leaves along the axes.
    pub(super) fn leaves(&self) -> [u32; 3] {
        self.cells.map(|n| n << self.levels)
    }

    /// The number of cells, with empty ones.
    pub(super) fn cell_count(&self) -> usize {
        self.cells.iter().map(|n| *n as usize).product()
    }

    /// The number of leaves, with empty ones.
    pub(super) fn leaf_count(&self) -> usize {
        self.cell_count() * self.leaves_per_cell()
    }

    /// Converts a position in m to leaves from the lowest corner.
    pub(super) fn in_leaves(&self, position: DVec3) -> DVec3 {
        (position - self.origin) / self.leaf_size()
    }

    /// The leaf that contains a position, in leaves; the nearest leaf if it is outside the grid.
    pub(super) fn leaf_at(&self, position: DVec3) -> [u32; 3] {
        let leaves = self.leaves();
        // The cast saturates, so positions below the grid become 0.
        std::array::from_fn(|axis| (position[axis] as u32).min(leaves[axis] - 1))
    }

    /// The centre of a leaf, in m.
    pub(super) fn leaf_centre(&self, leaf: [u32; 3]) -> DVec3 {
        let middle = DVec3::from(leaf.map(f64::from)) + 0.5;
        self.origin + self.leaf_size() * middle
    }

    /// The centre of a cell, in m.
    pub(super) fn cell_centre(&self, cell: usize) -> DVec3 {
        self.origin + self.cell_size * (DVec3::from(self.cell(cell).map(f64::from)) + 0.5)
    }

    /// The index of a leaf.
    pub(super) fn leaf_index(&self, leaf: [u32; 3]) -> usize {
        let cell = self.cell_index(leaf.map(|x| x >> self.levels));
        let mask = self.resolution() - 1;
        let [x, y, z] = leaf.map(|x| (x & mask) as usize);
        let inside = (((z << self.levels) + y) << self.levels) + x;
        (cell << (3 * self.levels)) + inside
    }

    /// The leaf with an index.
    pub(super) fn leaf(&self, index: usize) -> [u32; 3] {
        let corner = self.cell(index >> (3 * self.levels));
        let place = self.place_in_cell(index & (self.leaves_per_cell() - 1));
        std::array::from_fn(|axis| (corner[axis] << self.levels) + place[axis])
    }

    /// The position of a leaf in its cell, by its index in the cell.
    pub(super) fn place_in_cell(&self, index: usize) -> [u32; 3] {
        let mask = self.resolution() - 1;
        std::array::from_fn(|axis| (index >> (axis as u32 * self.levels)) as u32 & mask)
    }

    /// The index of a cell.
    pub(super) fn cell_index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.cells.map(|n| n as usize);
        (z as usize * ny + y as usize) * nx + x as usize
    }

    /// The cell with an index.
    pub(super) fn cell(&self, index: usize) -> [u32; 3] {
        let [nx, ny, _] = self.cells.map(|n| n as usize);
        [index % nx, index / nx % ny, index / (nx * ny)].map(|x| x as u32)
    }
}

/// Calls `visit` with each face neighbour of a leaf or cell, in a box of `counts`.
#[inline]
pub(super) fn for_each_neighbour(
    [x, y, z]: [u32; 3],
    counts: [u32; 3],
    mut visit: impl FnMut([u32; 3]),
) {
    if x > 0 {
        visit([x - 1, y, z]);
    }
    if x + 1 < counts[0] {
        visit([x + 1, y, z]);
    }
    if y > 0 {
        visit([x, y - 1, z]);
    }
    if y + 1 < counts[1] {
        visit([x, y + 1, z]);
    }
    if z > 0 {
        visit([x, y, z - 1]);
    }
    if z + 1 < counts[2] {
        visit([x, y, z + 1]);
    }
}

/// Returns an error if this many leaves take too much memory, or if 32 bits cannot number them.
fn check_leaves(leaves: f64, allowed: u64) -> Result<(), VoxelError> {
    let needed = Grid::BYTES_PER_LEAF * leaves;
    let numbered = (Grid::BYTES_PER_LEAF * f64::from(u32::MAX)) as u64;
    check_memory(needed, allowed.min(numbered))
}

/// Returns an error if `needed` exceeds `allowed`, both in bytes.
pub(super) fn check_memory(needed: f64, allowed: u64) -> Result<(), VoxelError> {
    if needed <= allowed as f64 { Ok(()) } else { Err(VoxelError::Memory { needed, allowed }) }
}

/// The number of halvings that give at least `count` cells.
fn depth_for(count: f64) -> u32 {
    count.max(1.0).log2().ceil() as u32
}
