//! Small meshes of every kind, straight and curved.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::{Block, Mesh, NodeSet, Region};
use pliant_kernels::element::{barycentric_weights, lattice};
use pliant_mesh::mesh::NodeKey;

/// A mesh of two or more cells of one kind, with overlapping regions and two node sets.
pub(crate) fn sample(kind: Kind, curved: bool) -> Mesh {
    let (corners, cells) = corner_mesh(kind);
    let mut mesh = of_degree(kind, &corners, &cells);
    if curved {
        mesh.nodes.iter_mut().for_each(|node| *node = bent(*node));
    }
    with_groups(mesh)
}

/// A hexahedron, a pyramid, a prism and a tetrahedron, face to face, in four blocks.
pub(crate) fn mixed() -> Mesh {
    let (mut nodes, _) = corner_mesh(Kind::Hex8);
    nodes.truncate(8);
    nodes.extend([
        DVec3::new(0.5, 0.5, 2.0),
        DVec3::new(2.0, 0.5, 0.0),
        DVec3::new(2.0, 0.5, 1.0),
        DVec3::new(0.5, -1.0, 1.5),
    ]);
    let block = |kind, nodes: &[u32]| Block { kind, nodes: nodes.to_vec() };
    let blocks = vec![
        block(Kind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]),
        block(Kind::Pyramid5, &[4, 5, 6, 7, 8]),
        block(Kind::Prism6, &[1, 9, 2, 5, 10, 6]),
        block(Kind::Tet4, &[4, 5, 8, 11]),
    ];
    let nodes = nodes.into_iter().map(bent).collect();
    with_groups(Mesh::new(nodes, blocks).unwrap())
}

/// The corners and cells of two neighbours, with coordinates that are not short decimals.
fn corner_mesh(kind: Kind) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let (t, p) = (1.0 / 3.0, DVec3::new);
    let square = |z: f64| [p(0.0, 0.0, z), p(1.0, 0.0, z), p(1.0, 1.0, z), p(0.0, 1.0, z)];
    match kind {
        Kind::Tet4 | Kind::Tet10 | Kind::Tet20 => (
            vec![
                p(0.0, 0.0, 0.0),
                p(1.0, 0.0, t),
                p(t, 1.0, 0.0),
                p(0.0, t, 1.0),
                p(1.0, 1.1, 1.2),
            ],
            vec![vec![0, 1, 2, 3], vec![1, 4, 2, 3]],
        ),
        Kind::Hex8 | Kind::Hex27 => (
            [square(0.0), square(1.0), square(1.0 + t)].concat(),
            vec![(0..8).collect(), (4..12).collect()],
        ),
        Kind::Prism6 => (
            [0.0, 1.0, 1.0 + t]
                .iter()
                .flat_map(|z| [p(0.0, 0.0, *z), p(1.0, t, *z), p(t, 1.0, *z)])
                .collect(),
            vec![(0..6).collect(), (3..9).collect()],
        ),
        Kind::Pyramid5 => (
            [&square(0.0)[..], &[p(t, t, 1.0), p(0.5, 0.4, -t)]].concat(),
            vec![vec![0, 1, 2, 3, 4], vec![0, 3, 2, 1, 5]],
        ),
    }
}

/// Straight cells of a kind, from cells given by their corners.
fn of_degree(kind: Kind, corners: &[DVec3], cells: &[Vec<u32>]) -> Mesh {
    let (mut nodes, mut all) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<NodeKey, u32> = BTreeMap::new();
    for cell in cells {
        for place in lattice(kind) {
            let key = NodeKey::new(kind.shape(), cell, kind.degree(), place);
            all.push(*known.entry(key).or_insert_with(|| {
                let weights = barycentric_weights(kind.shape(), kind.degree(), place);
                let total: usize = weights.iter().sum();
                let terms = cell.iter().zip(&weights);
                let sum: DVec3 = terms.map(|(c, w)| corners[*c as usize] * *w as f64).sum();
                nodes.push(sum / total as f64);
                nodes.len() as u32 - 1
            }));
        }
    }
    Mesh::new(nodes, vec![Block { kind, nodes: all }]).unwrap()
}

/// Moves a control point by up to 0.1 in each direction.
fn bent(x: DVec3) -> DVec3 {
    x + 0.1 * DVec3::new((2.0 * x.y + x.z).sin(), (3.0 * x.z).cos(), (2.0 * x.x - x.y).sin())
}

fn with_groups(mut mesh: Mesh) -> Mesh {
    let region = |name: &str, cells: Vec<u32>| Region { name: name.into(), cells };
    let set = |name: &str, nodes: Vec<u32>| NodeSet { name: name.into(), nodes };
    mesh.regions = vec![
        region("everything", (0..mesh.cell_count() as u32).collect()),
        region("Teil \u{e4} & <one>", vec![1]),
    ];
    mesh.node_sets = vec![set("face", vec![0, 1, 2]), set("tip", vec![2, 4])];
    mesh
}
