//! The mesh: nodes, blocks of cells of one kind, named groups.

use std::ops::Range;

use glam::DVec3;

use crate::element::{Kind, QuadraturePoint, QuadratureRule, jacobian, shape_gradient};

use super::MeshError;

/// Cells of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The kind of its cells.
    pub kind: Kind,
    /// Node indices, `kind.node_count()` per cell, in the order of [`crate::element::lattice`].
    pub nodes: Vec<u32>,
}

impl Block {
    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.nodes.len() / self.kind.node_count()
    }

    /// Nodes of each cell.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.nodes.chunks_exact(self.kind.node_count())
    }

    /// Nodes of a cell, by its index in this block.
    pub fn cell(&self, cell: usize) -> &[u32] {
        let n = self.kind.node_count();
        &self.nodes[cell * n..(cell + 1) * n]
    }
}

/// A named group of cells: a material, a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Name, unique among the regions of its mesh.
    pub name: String,
    /// Cells by their index in the mesh, ascending.
    pub cells: Vec<u32>,
}

/// A named group of nodes: a side to pin, a boundary of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSet {
    /// Name, unique among the node sets of its mesh.
    pub name: String,
    /// Nodes, ascending.
    pub nodes: Vec<u32>,
}

/// A mesh: control points and cells.
///
/// Cells are numbered across all blocks: the first cell of the second block follows the last cell of the first block.
/// Cells may be curved: a node of a cell of degree 2 or 3 is a control point and need not lie on the shape.
///
/// ```
/// use glam::DVec3;
/// use pliant_kernels::element::Kind;
/// use pliant_mesh::mesh::{Block, Mesh};
///
/// let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let tetrahedron = Block { kind: Kind::Tet4, nodes: vec![0, 1, 2, 3] };
/// let mesh = Mesh::new(nodes, vec![tetrahedron])?;
/// assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), pliant_mesh::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// Control points, in m.
    pub nodes: Vec<DVec3>,
    /// Blocks of cells of one kind. Several blocks may have the same kind.
    pub blocks: Vec<Block>,
    /// Named groups of cells.
    pub regions: Vec<Region>,
    /// Named groups of nodes.
    pub node_sets: Vec<NodeSet>,
}

impl Mesh {
    /// Creates a mesh without regions and node sets, and checks it.
    pub fn new(nodes: Vec<DVec3>, blocks: Vec<Block>) -> Result<Self, MeshError> {
        let mesh = Self { nodes, blocks, regions: Vec::new(), node_sets: Vec::new() };
        mesh.check()?;
        Ok(mesh)
    }

    /// Checks that there are cells, that their corners exist and are distinct, and that all coordinates are finite.
    ///
    /// The shape and winding of cells are checked by [`Mesh::certify`].
    pub fn check(&self) -> Result<(), MeshError> {
        if self.cell_count() == 0 {
            return Err(MeshError::Empty);
        }
        for (node, position) in self.nodes.iter().enumerate() {
            if !position.is_finite() {
                return Err(MeshError::NotFinite { node, position: *position });
            }
        }
        for (cell, (kind, nodes)) in self.cells().enumerate() {
            self.check_cell(cell, kind, nodes)?;
        }
        Ok(())
    }

    fn check_cell(&self, cell: usize, kind: Kind, nodes: &[u32]) -> Result<(), MeshError> {
        let node_count = self.nodes.len();
        if let Some(&node) = nodes.iter().find(|node| **node as usize >= node_count) {
            return Err(MeshError::NodeOutOfRange { cell, node: node as usize, node_count });
        }
        let corners = &nodes[..kind.corner_count()];
        for (k, node) in corners.iter().enumerate() {
            if corners[..k].contains(node) {
                return Err(MeshError::RepeatedNode { cell, node: *node as usize });
            }
        }
        Ok(())
    }

    /// Number of cells in all blocks.
    pub fn cell_count(&self) -> usize {
        self.blocks.iter().map(Block::cell_count).sum()
    }

    /// Returns the kind and nodes of every cell, in order.
    pub fn cells(&self) -> impl Iterator<Item = (Kind, &[u32])> {
        self.blocks.iter().flat_map(|block| block.cells().map(move |nodes| (block.kind, nodes)))
    }

    /// Returns the kind and nodes of one cell.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn cell(&self, cell: usize) -> (Kind, &[u32]) {
        let (block, local) = self.locate(cell);
        (self.blocks[block].kind, self.blocks[block].cell(local))
    }

    /// Returns the block of a cell and its index in that block.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn locate(&self, cell: usize) -> (usize, usize) {
        let mut local = cell;
        for (index, block) in self.blocks.iter().enumerate() {
            if local < block.cell_count() {
                return (index, local);
            }
            local -= block.cell_count();
        }
        panic!("cell {cell} of a mesh with {} cells", self.cell_count())
    }

    /// Returns the indices of the cells of a block.
    pub fn block_range(&self, block: usize) -> Range<usize> {
        let start = self.blocks[..block].iter().map(Block::cell_count).sum();
        start..start + self.blocks[block].cell_count()
    }

    /// Returns the nodes that are a corner of some cell, ascending.
    pub fn corners(&self) -> Vec<u32> {
        let mut is_corner = vec![false; self.nodes.len()];
        for (kind, nodes) in self.cells() {
            nodes[..kind.corner_count()].iter().for_each(|node| is_corner[*node as usize] = true);
        }
        (0..self.nodes.len() as u32).filter(|node| is_corner[*node as usize]).collect()
    }

    /// Returns the positions of the control points of a cell, given its nodes.
    pub fn cell_points(&self, nodes: &[u32]) -> Vec<DVec3> {
        nodes.iter().map(|node| self.nodes[*node as usize]).collect()
    }

    /// Returns the volume of all cells in m³, by quadrature that is exact for curved cells; inverted parts count as
    /// negative.
    pub fn volume(&self) -> f64 {
        self.volume_at(&self.nodes)
    }

    /// Returns the volume with the nodes at `x`.
    pub fn volume_at(&self, x: &[DVec3]) -> f64 {
        // Summed in parts: adding a million small terms to one large sum would lose digits.
        self.cell_volumes_at(x).chunks(1024).map(|part| part.iter().sum::<f64>()).sum()
    }

    /// Volume of every cell, in order.
    pub fn cell_volumes(&self) -> Vec<f64> {
        self.cell_volumes_at(&self.nodes)
    }

    /// Volume of the cells of a block, in order.
    pub fn block_volumes(&self, block: usize) -> Vec<f64> {
        block_volumes(&self.blocks[block], &self.nodes)
    }

    fn cell_volumes_at(&self, x: &[DVec3]) -> Vec<f64> {
        self.blocks.iter().flat_map(|block| block_volumes(block, x)).collect()
    }

    /// Returns the smallest and largest coordinates of the control points, which bound every cell.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.nodes.iter().fold(start, |(low, high), node| (low.min(*node), high.max(*node)))
    }

    /// Returns the region with this name.
    pub fn region(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|region| region.name == name)
    }

    /// Returns the node set with this name.
    pub fn node_set(&self, name: &str) -> Option<&NodeSet> {
        self.node_sets.iter().find(|set| set.name == name)
    }
}

fn cell_volume(x: &[DVec3], nodes: &[u32], rule: &QuadratureRule, gradients: &[Vec<DVec3>]) -> f64 {
    // Relative to a corner, so that the rounding does not depend on the position of the mesh.
    let corner = x[nodes[0] as usize];
    let points: Vec<DVec3> = nodes.iter().map(|node| x[*node as usize] - corner).collect();
    let terms = rule.points.iter().zip(gradients);
    terms.map(|(point, gradient)| point.weight * jacobian(&points, gradient).det()).sum()
}

fn block_volumes(block: &Block, x: &[DVec3]) -> Vec<f64> {
    let rule = QuadratureRule::for_curved(block.kind);
    let gradient = |point: &QuadraturePoint| shape_gradient(block.kind, point.xi);
    let gradients: Vec<_> = rule.points.iter().map(gradient).collect();
    block.cells().map(|nodes| cell_volume(x, nodes, &rule, &gradients)).collect()
}
