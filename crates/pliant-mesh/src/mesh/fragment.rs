//! Fragments: some cells of a mesh as a mesh of their own.

use super::{Block, Mesh, NodeSet, Region};

/// A fragment of a mesh: some of its cells, and the map to the nodes of the original mesh.
///
/// One node of the original mesh may have several copies in a fragment, one for each group of cells that are still
/// connected there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fragment {
    /// Its cells, by their index in the original mesh, ascending.
    pub cells: Vec<u32>,
    /// The original node of each of its nodes.
    pub nodes: Vec<u32>,
    /// Nodes of all its cells, cell after cell, by their index in the fragment.
    pub links: Vec<u32>,
}

impl Fragment {
    /// Composes two fragment maps: maps a fragment of this fragment to the original mesh.
    #[must_use]
    pub fn then(&self, fragment: &Self) -> Self {
        let cells = fragment.cells.iter().map(|cell| self.cells[*cell as usize]).collect();
        let nodes = fragment.nodes.iter().map(|node| self.nodes[*node as usize]).collect();
        Self { cells, nodes, links: fragment.links.clone() }
    }

    /// Returns the index in the fragment of a cell of the original mesh; `None` if the fragment does not contain it.
    pub fn cell(&self, of_whole: u32) -> Option<u32> {
        self.cells.binary_search(&of_whole).ok().map(|cell| cell as u32)
    }

    /// Copies a per-node value of the original mesh to the nodes of the fragment.
    pub fn carry<T: Copy>(&self, whole: &[T]) -> Vec<T> {
        self.nodes.iter().map(|node| whole[*node as usize]).collect()
    }

    /// Returns true if this is a fragment of `mesh`: its cells exist, and its nodes are copies of the nodes of those
    /// cells.
    pub fn fits(&self, mesh: &Mesh) -> bool {
        let count = mesh.cell_count();
        let rising = self.cells.is_sorted_by(|a, b| a < b);
        if !rising || self.cells.last().is_none_or(|cell| *cell as usize >= count) {
            return false;
        }
        let mut links = self.links.iter();
        let cells = self.cells.iter().flat_map(|cell| mesh.cell(*cell as usize).1);
        let copies = |node: &u32| {
            let link = links.next().and_then(|link| self.nodes.get(*link as usize));
            link == Some(node)
        };
        let mut used = vec![false; self.nodes.len()];
        let right = cells.into_iter().all(copies) && links.next().is_none();
        if !right {
            return false;
        }
        self.links.iter().for_each(|link| used[*link as usize] = true);
        used.into_iter().all(|used| used)
    }
}

impl Mesh {
    /// Returns a fragment as a mesh, with regions and node sets restricted to it.
    pub fn fragment(&self, fragment: &Fragment) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut last, mut links) = (None, &fragment.links[..]);
        for cell in &fragment.cells {
            let (block, _) = self.locate(*cell as usize);
            let kind = self.blocks[block].kind;
            if last.replace(block) != Some(block) {
                blocks.push(Block { kind, nodes: Vec::new() });
            }
            let (own, rest) = links.split_at(kind.node_count());
            links = rest;
            blocks.last_mut().expect("one was just added").nodes.extend_from_slice(own);
        }
        let region = |region: &Region| Region {
            name: region.name.clone(),
            cells: region.cells.iter().filter_map(|cell| fragment.cell(*cell)).collect(),
        };
        let set = |set: &NodeSet| {
            let copies = (0u32..).zip(&fragment.nodes);
            let copies = copies.filter(|(_, node)| set.nodes.binary_search(node).is_ok());
            NodeSet { name: set.name.clone(), nodes: copies.map(|(copy, _)| copy).collect() }
        };
        let regions = self.regions.iter().map(region).collect();
        let node_sets = self.node_sets.iter().map(set).collect();
        Self { nodes: fragment.carry(&self.nodes), blocks, regions, node_sets }
    }
}
