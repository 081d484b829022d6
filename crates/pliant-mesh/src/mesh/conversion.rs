//! Rewriting every cell of a mesh in other control points: the ground of elevation and refinement.

use std::collections::HashMap;

use glam::DVec3;

use crate::element::{CellShape, DenseMatrix, Kind, lattice};

use super::{Block, Mesh, MeshError, NodeKey, NodeSet, Region};

/// What one cell of some kind turns into.
#[derive(Debug, Clone)]
pub(super) struct Child {
    /// Kind of the new cell.
    pub(super) kind: Kind,
    /// Its lattice in the reference cell of its parent, in units of `1/denominator`.
    pub(super) points: Vec<[usize; 3]>,
    /// Denominator of `points`.
    pub(super) denominator: usize,
    /// New control points from the old.
    pub(super) matrix: DenseMatrix,
}

impl Child {
    /// The whole parent in another degree.
    pub(super) fn whole(kind: Kind, matrix: DenseMatrix) -> Self {
        Self { kind, points: lattice(kind), denominator: kind.degree(), matrix }
    }
}

/// Replaces every cell by its children; regions and node sets follow.
///
/// Corners keep their order and come first. A new node belongs to a node set if all the old nodes
/// it is a combination of do.
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
    parts: Vec<Part>,
}

/// New cells of one child of one block: new cell `k` comes from old cell `first + k`.
struct Part {
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
        self.parts.push(Part { block, kind: child.kind, nodes });
    }

    fn add_cell(&mut self, shape: CellShape, cell: &[u32], child: &Child, nodes: &mut Vec<u32>) {
        let corners = &cell[..shape.corner_count()];
        for (point, row) in child.points.iter().zip(child.matrix.rows()) {
            let key = NodeKey::new(shape, corners, child.denominator, *point);
            nodes.push(self.number(key, row, cell));
        }
    }

    /// The node of this key, made on first sight as the combination `row` of the nodes `cell`.
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

    /// Regions with the new cells; `merged` numbers them part by part within each kind.
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

/// Whether two parts end up in one block: parts of the same old block and kind do.
fn same_block(a: &Part, b: &Part) -> bool {
    a.block == b.block && a.kind == b.kind
}

/// Groups the parts into blocks, in order of first appearance.
fn merged(parts: Vec<Part>) -> Vec<Block> {
    let mut groups: Vec<Part> = Vec::new();
    for part in parts {
        match groups.iter_mut().find(|group| same_block(group, &part)) {
            Some(group) => group.nodes.extend(part.nodes),
            None => groups.push(part),
        }
    }
    groups.into_iter().map(|part| Block { kind: part.kind, nodes: part.nodes }).collect()
}

/// Number of the first new cell of each part once [`merged`].
fn part_starts(parts: &[Part]) -> Vec<usize> {
    let cell_count = |part: &Part| part.nodes.len() / part.kind.node_count();
    let first = |part: &Part| parts.iter().position(|other| same_block(other, part));
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| (first(&parts[*index]), *index));
    let (mut starts, mut next) = (vec![0; parts.len()], 0);
    for index in order {
        starts[index] = next;
        next += cell_count(&parts[index]);
    }
    starts
}
