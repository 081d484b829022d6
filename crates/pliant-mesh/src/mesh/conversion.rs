//! Conversion of every cell of a mesh to new control points: the basis of elevation and refinement.

use std::collections::HashMap;

use glam::DVec3;

use crate::element::{CellShape, DenseMatrix, Kind, lattice};

use super::{Block, Mesh, MeshError, NodeKey, NodeSet, Region};

/// One of the new cells that replace a cell of a given kind.
#[derive(Debug, Clone)]
pub(super) struct Child {
    /// Kind of the new cell.
    pub(super) kind: Kind,
    /// Its lattice points in the reference cell of the parent, in units of `1/denominator`.
    pub(super) points: Vec<[usize; 3]>,
    /// Denominator of `points`.
    pub(super) denominator: usize,
    /// Matrix that computes the new control points from those of the parent.
    pub(super) matrix: DenseMatrix,
}

impl Child {
    /// A child that covers the whole parent, in another degree.
    pub(super) fn whole(kind: Kind, matrix: DenseMatrix) -> Self {
        Self { kind, points: lattice(kind), denominator: kind.degree(), matrix }
    }
}

/// Replaces every cell by its children and updates regions and node sets.
///
/// Corners keep their order and come first. A new node belongs to a node set if all old nodes with a nonzero weight
/// in it do.
pub(super) fn converted(
    mesh: &Mesh,
    children: impl Fn(Kind) -> Result<Vec<Child>, MeshError>,
) -> Result<Mesh, MeshError> {
    let mut conversion = Conversion::new(mesh);
    for (index, block) in mesh.blocks.iter().enumerate() {
        for child in children(block.kind)? {
            conversion.add_block(index, &child);
        }
    }
    Ok(conversion.finish())
}

struct Conversion<'a> {
    mesh: &'a Mesh,
    numbers: HashMap<NodeKey, u32>,
    nodes: Vec<DVec3>,
    in_set: Vec<Vec<bool>>,
    set_nodes: Vec<Vec<u32>>,
    parts: Vec<ChildCells>,
}

/// The new cells of one child of one block: new cell `k` comes from cell `k` of the old block.
struct ChildCells {
    block: usize,
    kind: Kind,
    nodes: Vec<u32>,
}

impl<'a> Conversion<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let in_set = mesh.node_sets.iter().map(|set| membership(set, mesh.nodes.len())).collect();
        let set_nodes = vec![Vec::new(); mesh.node_sets.len()];
        let (numbers, nodes) = (HashMap::new(), Vec::new());
        let mut conversion = Self { mesh, numbers, nodes, in_set, set_nodes, parts: Vec::new() };
        for corner in mesh.corners() {
            conversion.number(NodeKey::of_corner(corner), &[1.0], &[corner]);
        }
        conversion
    }

    fn add_block(&mut self, block: usize, child: &Child) {
        let old = &self.mesh.blocks[block];
        let shape = old.kind.shape();
        let mut nodes = Vec::with_capacity(old.cell_count() * child.kind.node_count());
        for cell in old.cells() {
            self.add_cell(shape, cell, child, &mut nodes);
        }
        self.parts.push(ChildCells { block, kind: child.kind, nodes });
    }

    fn add_cell(&mut self, shape: CellShape, cell: &[u32], child: &Child, nodes: &mut Vec<u32>) {
        let corners = &cell[..shape.corner_count()];
        for (point, row) in child.points.iter().zip(child.matrix.rows()) {
            let key = NodeKey::new(shape, corners, child.denominator, *point);
            nodes.push(self.number(key, row, cell));
        }
    }

    /// Returns the node with this key. On first use it is created as the combination `row` of the nodes `cell`.
    fn number(&mut self, key: NodeKey, row: &[f64], cell: &[u32]) -> u32 {
        if let Some(node) = self.numbers.get(&key) {
            return *node;
        }
        let node = self.nodes.len() as u32;
        self.numbers.insert(key, node);
        let terms = || row.iter().zip(cell).filter(|(weight, _)| **weight != 0.0);
        self.nodes
            .push(terms().map(|(weight, old)| *weight * self.mesh.nodes[*old as usize]).sum());
        for (in_set, set) in self.in_set.iter().zip(&mut self.set_nodes) {
            if terms().all(|(_, old)| in_set[*old as usize]) {
                set.push(node);
            }
        }
        node
    }

    fn finish(self) -> Mesh {
        let regions = self.regions();
        let sets = self.mesh.node_sets.iter().zip(self.set_nodes);
        let node_sets =
            sets.map(|(set, nodes)| NodeSet { name: set.name.clone(), nodes }).collect();
        let blocks = merged(self.parts);
        Mesh { nodes: self.nodes, blocks, regions, node_sets }
    }

    /// Regions with the new cell indices; [`merged`] numbers the cells part by part within each block.
    fn regions(&self) -> Vec<Region> {
        let starts = part_starts(&self.parts);
        self.mesh.regions.iter().map(|region| self.region(region, &starts)).collect()
    }

    fn region(&self, region: &Region, starts: &[usize]) -> Region {
        let mut cells = Vec::new();
        for (part, start) in self.parts.iter().zip(starts) {
            let range = self.mesh.block_range(part.block);
            let inside = region.cells.iter().filter(|cell| range.contains(&(**cell as usize)));
            cells.extend(inside.map(|cell| (start + *cell as usize - range.start) as u32));
        }
        cells.sort_unstable();
        Region { name: region.name.clone(), cells }
    }
}

fn membership(set: &NodeSet, node_count: usize) -> Vec<bool> {
    let mut inside = vec![false; node_count];
    set.nodes.iter().for_each(|node| inside[*node as usize] = true);
    inside
}

/// True if two parts end up in one block: parts of the same old block and kind do.
fn same_block(a: &ChildCells, b: &ChildCells) -> bool {
    a.block == b.block && a.kind == b.kind
}

/// Groups the parts into blocks, in order of first appearance.
fn merged(parts: Vec<ChildCells>) -> Vec<Block> {
    let mut groups: Vec<ChildCells> = Vec::new();
    for part in parts {
        match groups.iter_mut().find(|group| same_block(group, &part)) {
            Some(group) => group.nodes.extend(part.nodes),
            None => groups.push(part),
        }
    }
    groups.into_iter().map(|part| Block { kind: part.kind, nodes: part.nodes }).collect()
}

/// Index of the first new cell of each part after [`merged`].
fn part_starts(parts: &[ChildCells]) -> Vec<usize> {
    let cell_count = |part: &ChildCells| part.nodes.len() / part.kind.node_count();
    let first = |part: &ChildCells| parts.iter().position(|other| same_block(other, part));
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| (first(&parts[*index]), *index));
    let (mut starts, mut next) = (vec![0; parts.len()], 0);
    for index in order {
        starts[index] = next;
        next += cell_count(&parts[index]);
    }
    starts
}
