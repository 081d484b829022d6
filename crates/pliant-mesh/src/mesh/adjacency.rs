//! Adjacency of cells: the cells around each node, and the neighbours across faces.

use crate::element::faces;
use crate::math::Rows;

use super::boundary::sorted_faces;
use super::{Mesh, NodeSet};

impl Mesh {
    /// Returns the cells around every node, in ascending order.
    pub fn node_cells(&self) -> Rows {
        Rows::from_pairs(self.nodes.len(), || {
            let cells = (0u32..).zip(self.cells());
            cells
                .flat_map(|(cell, (_, nodes))| nodes.iter().map(move |node| (*node as usize, cell)))
        })
    }

    /// Returns the neighbour of every cell across each of its faces, `None` on the boundary.
    ///
    /// Where three or more cells share a face (see [`Mesh::overshared_faces`]), the neighbours are those next in cell
    /// order.
    pub fn cell_neighbours(&self) -> Vec<Vec<Option<u32>>> {
        let mut neighbours: Vec<_> =
            self.cells().map(|(kind, _)| vec![None; faces(kind.shape()).len()]).collect();
        for pair in sorted_faces(self).windows(2).filter(|pair| pair[0].key == pair[1].key) {
            let (a, b) = (pair[0], pair[1]);
            neighbours[a.cell as usize][a.face as usize] = Some(b.cell);
            neighbours[b.cell as usize][b.face as usize] = Some(a.cell);
        }
        neighbours
    }

    /// Returns the parts of the mesh that are connected through shared nodes, each as its cells in ascending order.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let node_cells = self.node_cells();
        let mut seen = vec![false; self.cell_count()];
        let mut components = Vec::new();
        for start in 0..seen.len() {
            if !seen[start] {
                components.push(self.component(start as u32, &node_cells, &mut seen));
            }
        }
        components
    }

    fn component(&self, start: u32, node_cells: &Rows, seen: &mut [bool]) -> Vec<u32> {
        let (mut cells, mut next) = (vec![start], 0);
        seen[start as usize] = true;
        while next < cells.len() {
            let (_, nodes) = self.cell(cells[next] as usize);
            for cell in nodes.iter().flat_map(|node| node_cells.row(*node as usize)) {
                if !std::mem::replace(&mut seen[*cell as usize], true) {
                    cells.push(*cell);
                }
            }
            next += 1;
        }
        cells.sort_unstable();
        cells
    }

    /// Returns the nodes that no cell uses. They carry no mass, so a body cannot have them.
    pub fn unused_nodes(&self) -> Vec<u32> {
        let mut used = vec![false; self.nodes.len()];
        self.blocks.iter().flat_map(|block| &block.nodes).for_each(|n| used[*n as usize] = true);
        (0..self.nodes.len() as u32).filter(|node| !used[*node as usize]).collect()
    }

    /// Returns the mesh without its unused nodes, and the number of nodes removed.
    pub fn without_unused_nodes(&self) -> (Self, usize) {
        let unused = self.unused_nodes();
        if unused.is_empty() {
            return (self.clone(), 0);
        }
        let renumbered = renumbering(self.nodes.len(), &unused);
        let number = |node: &u32| renumbered[*node as usize];
        let mut mesh = self.clone();
        mesh.nodes = (0..self.nodes.len())
            .filter(|node| renumbered[*node].is_some())
            .map(|node| self.nodes[node])
            .collect();
        for block in &mut mesh.blocks {
            block.nodes = block.nodes.iter().filter_map(number).collect();
        }
        let kept = |set: &NodeSet| NodeSet {
            name: set.name.clone(),
            nodes: set.nodes.iter().filter_map(number).collect(),
        };
        mesh.node_sets = self.node_sets.iter().map(kept).collect();
        (mesh, unused.len())
    }
}

/// New index of every node after the `unused` nodes (ascending) are removed, `None` for those.
fn renumbering(node_count: usize, unused: &[u32]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |node: u32| {
        unused.binary_search(&node).is_err().then(|| {
            next += 1;
            next - 1
        })
    };
    (0..node_count as u32).map(number).collect()
}
