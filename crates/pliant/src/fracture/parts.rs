//! The fragments of a mesh with open faces.

use pliant_kernels::element::{face_nodes, faces};
use pliant_kernels::math::DisjointSets;
use pliant_mesh::mesh::{Fragment, Mesh};

/// The fragments of a mesh, whose cells are connected through closed faces; `neighbours` lists these.
///
/// A node gets one copy for each group of cells around it that are connected by faces at the node. So cells that share
/// only an edge or a node separate: there are no hinges and no ball joints. A face opens with all its nodes.
pub(super) fn parts(mesh: &Mesh, neighbours: &[Vec<Option<u32>>]) -> Vec<Fragment> {
    let (start, mut copies) = copies(mesh, neighbours);
    let mut cells = DisjointSets::new(neighbours.len());
    for (cell, across) in (0u32..).zip(neighbours) {
        across.iter().flatten().for_each(|other| cells.join(cell, *other));
    }
    cells.iter().map(|cells| part(mesh, cells, &start, &mut copies)).collect()
}

/// The first node slot of every cell, and the groups of slots that are one node. Slots are joined across closed faces
/// only, so each group is one copy of its node.
fn copies(mesh: &Mesh, neighbours: &[Vec<Option<u32>>]) -> (Vec<u32>, DisjointSets) {
    let mut start = vec![0];
    let mut end = 0;
    for (kind, _) in mesh.cells() {
        end += kind.node_count() as u32;
        start.push(end);
    }
    let mut copies = DisjointSets::new(end as usize);
    let tables: Vec<Vec<Vec<usize>>> = mesh
        .blocks
        .iter()
        .map(|block| {
            let faces = 0..faces(block.kind.shape()).len();
            faces.map(|face| face_nodes(block.kind, face)).collect()
        })
        .collect();
    for (cell, across) in neighbours.iter().enumerate() {
        let (block, _) = mesh.locate(cell);
        let (_, nodes) = mesh.cell(cell);
        for (face, other) in across.iter().enumerate() {
            let Some(other) = other.map(|other| other as usize).filter(|other| *other > cell)
            else {
                continue;
            };
            let (_, others) = mesh.cell(other);
            for local in &tables[block][face] {
                if let Some(place) = others.iter().position(|node| *node == nodes[*local]) {
                    copies.join(start[cell] + *local as u32, start[other] + place as u32);
                }
            }
        }
    }
    (start, copies)
}

/// The fragment of these cells.
fn part(mesh: &Mesh, cells: &[u32], start: &[u32], copies: &mut DisjointSets) -> Fragment {
    // Ordered by node, then by copy: an unbroken mesh keeps its order.
    let mut own: Vec<(u32, u32)> = Vec::new();
    for cell in cells.iter().map(|cell| *cell as usize) {
        let nodes = (start[cell]..).zip(mesh.cell(cell).1);
        own.extend(nodes.map(|(place, node)| (*node, copies.find(place))));
    }
    let mut nodes = own.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let number = |copy: &(u32, u32)| nodes.partition_point(|known| known < copy) as u32;
    Fragment {
        cells: cells.to_vec(),
        links: own.iter().map(number).collect(),
        nodes: nodes.iter().map(|(node, _)| *node).collect(),
    }
}
