//! The mesh of linear cells with the same corners.

use super::{Block, Mesh};

impl Mesh {
    /// Returns the mesh of cells of degree 1 with the same corners, and for each of its nodes the corresponding node
    /// of this mesh.
    ///
    /// Cells keep their indices; regions and node sets are dropped. `None` if all cells already have degree 1.
    pub fn linear_level(&self) -> Option<(Self, Vec<u32>)> {
        if self.blocks.iter().all(|block| block.kind.degree() == 1) {
            return None;
        }
        let mut is_corner = vec![false; self.nodes.len()];
        for (kind, nodes) in self.cells() {
            nodes[..kind.corner_count()].iter().for_each(|node| is_corner[*node as usize] = true);
        }
        let corners: Vec<u32> =
            (0u32..).zip(is_corner).filter(|(_, corner)| *corner).map(|(node, _)| node).collect();
        let mut number = vec![0; self.nodes.len()];
        (0u32..).zip(&corners).for_each(|(new, old)| number[*old as usize] = new);
        let block = |block: &Block| {
            let kind = block.kind.linear();
            let corners = block.cells().flat_map(|nodes| &nodes[..kind.node_count()]);
            Block { kind, nodes: corners.map(|node| number[*node as usize]).collect() }
        };
        let blocks = self.blocks.iter().map(block).collect();
        let nodes = corners.iter().map(|node| self.nodes[*node as usize]).collect();
        Self::new(nodes, blocks).ok().map(|mesh| (mesh, corners))
    }
}
