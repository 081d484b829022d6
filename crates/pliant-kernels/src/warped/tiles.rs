//! Sums at nodes in two stages: within a tile of cells, then over tiles.
//!
//! Writing ten forces per quadratic cell and reading them back would be more memory traffic than the rest of a
//! product with the stiffness. A tile adds them up while they are in the first-level cache, and leaves one sum per
//! node of the tile, of which there are fewer than two per cell.

use crate::lanes::Batch;
use crate::lanes::tasks::PACKS_PER_TASK;
use crate::math::LANES;

/// Number of cells per tile; a task works on one tile at a time.
pub(crate) const TILE: usize = PACKS_PER_TASK * LANES;

/// The summation slots of the nodes of a batch.
#[derive(Debug, Clone)]
pub(crate) struct Tiles {
    /// Number of slots per tile.
    pub(super) stride: usize,
    /// Slot in its tile, for every node of every cell.
    pub(super) places: Vec<u16>,
    /// Node of every used slot of every tile.
    nodes: Vec<Vec<u32>>,
}

impl Tiles {
    pub(crate) fn new(batch: &Batch) -> Self {
        let count = batch.cells.len();
        let (mut places, mut nodes) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(TILE) {
            let cells = first..(first + TILE).min(count);
            let mut own: Vec<u32> =
                cells.clone().flat_map(|cell| cell_nodes(batch, cell)).collect();
            own.sort_unstable();
            own.dedup();
            let place = |node: u32| own.binary_search(&node).expect("a node of the tile") as u16;
            places.extend(cells.flat_map(|cell| cell_nodes(batch, cell)).map(place));
            nodes.push(own);
        }
        let stride = nodes.iter().map(Vec::len).max().unwrap_or(0).max(1);
        Self { stride, places, nodes }
    }

    /// Returns the number of slots of all tiles.
    pub(crate) fn value_count(&self) -> usize {
        self.nodes.len() * self.stride
    }

    /// Calls `visit(node, slot)` for every sum, with slots starting at `base`.
    pub(crate) fn for_each_slot(&self, base: usize, visit: &mut dyn FnMut(usize, u32)) {
        for (tile, nodes) in self.nodes.iter().enumerate() {
            for (place, node) in nodes.iter().enumerate() {
                visit(*node as usize, (base + tile * self.stride + place) as u32);
            }
        }
    }

    /// Returns the slots of the nodes of the cells of a pack, each with `n` nodes.
    #[inline(always)]
    pub(crate) fn pack(&self, pack: usize, n: usize) -> impl Iterator<Item = &[u16]> {
        let first = pack * LANES * n;
        let last = (first + LANES * n).min(self.places.len());
        self.places[first..last].chunks_exact(n)
    }

    /// Returns the slots of the nodes of a cell with `n` nodes.
    #[inline(always)]
    pub(crate) fn cell(&self, cell: usize, n: usize) -> &[u16] {
        &self.places[cell * n..(cell + 1) * n]
    }
}

fn cell_nodes(batch: &Batch, cell: usize) -> impl Iterator<Item = u32> {
    batch.pack_nodes(cell / LANES).iter().map(move |lanes| lanes[cell % LANES])
}
