//! The contents of cells: fill and material of their leaves.

use pliant::body::Contents;
use pliant::internals::Leaf;
use pliant_kernels::math::{Rows, parallel_range};

use super::VoxelConfig;
use super::cells::Cells;
use super::grid::Grid;
use super::leaf_state::LeafState;
use super::materials::MaterialRule;
use super::paint::Paint;
use super::pieces::Pieces;
use super::sites::LeafSites;

/// The matter in a grid: states of leaves, pieces and cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matter<'a> {
    pub(super) grid: &'a Grid,
    pub(super) states: &'a [LeafState],
    pub(super) pieces: &'a Pieces,
    pub(super) cells: &'a Cells,
}

impl Matter<'_> {
    /// The contents of the cells, and the sites of their leaves: boundary leaves are partly full, inside leaves completely (Nesme et al. 2006, section
    /// 5.1).
    pub(super) fn contents(
        &self,
        config: &VoxelConfig,
        rules: &[MaterialRule],
        paint: Option<&Paint>,
    ) -> (Contents, LeafSites) {
        let (start, numbers) = self.leaves_of_cells().into_parts();
        let sites = LeafSites::new(self.grid, numbers, paint);
        let materials = sites.materials_of(rules);
        let leaf = |k| self.leaf(sites.leaves[k] as usize, config, materials[k]);
        let leaves = parallel_range(materials.len(), leaf);
        (Contents { resolution: self.grid.resolution(), start, leaves }, sites)
    }

    /// The cell of a leaf, by the leaf's index; `None` if the leaf is empty.
    pub(super) fn cell_of_leaf(&self, leaf: usize) -> Option<u32> {
        let piece = self.pieces.of_leaf(self.grid, leaf)?;
        Some(self.cells.of_piece[piece as usize])
    }

    fn leaf(&self, number: usize, config: &VoxelConfig, material: u32) -> Leaf {
        let is_boundary = self.states[number] == LeafState::Boundary;
        let fill = if is_boundary { config.boundary_fill } else { 1.0 };
        let in_cell = number & (self.grid.leaves_per_cell() - 1);
        let place = self.grid.place_in_cell(in_cell).map(|x| x as u16);
        Leaf { place, fill, material }
    }

    /// The indices of all leaves with matter, by cell.
    fn leaves_of_cells(&self) -> Rows {
        let with_cell = |leaf| Some((self.cell_of_leaf(leaf)? as usize, leaf as u32));
        let size = self.grid.leaves_per_cell();
        let has_matter = |cell: &usize| !self.pieces.of_cell(*cell).is_empty();
        let grid_cells = || (0..self.grid.cell_count()).filter(has_matter);
        Rows::from_pairs(self.cells.count(), || {
            grid_cells().flat_map(|cell| cell * size..(cell + 1) * size).filter_map(with_cell)
        })
    }
}
