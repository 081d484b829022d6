//! Moves the inside of a mesh along with its boundary.

use glam::DVec3;
use pliant::mesh::Mesh;
use pliant_kernels::element::lattice;

/// The number of sweeps that carry displacements of the boundary inside.
const FOLLOW_SWEEPS: usize = 30;

/// Moves the inside along with the boundary.
///
/// The displacement of every inner control point is the mean of its neighbours' in the control net, so that
/// displacements fade smoothly (Gauss–Seidel sweeps of a graph Laplacian).
pub(super) fn follow_inside(mesh: &mut Mesh, straight: &Mesh) {
    let mut moves: Vec<DVec3> =
        mesh.nodes.iter().zip(&straight.nodes).map(|(node, start)| node - start).collect();
    let neighbours = net_neighbours(mesh);
    let mut on_boundary = vec![false; mesh.nodes.len()];
    mesh.boundary_nodes().into_iter().for_each(|node| on_boundary[node as usize] = true);
    for _ in 0..FOLLOW_SWEEPS {
        for node in (0..moves.len()).filter(|node| !on_boundary[*node]) {
            let near = &neighbours[node];
            let sum: DVec3 = near.iter().map(|other| moves[*other as usize]).sum();
            moves[node] = sum / near.len().max(1) as f64;
        }
    }
    for (node, start) in straight.nodes.iter().enumerate() {
        mesh.nodes[node] = start + moves[node];
    }
}

/// The neighbours of every control point: the next ones in the lattice of some cell.
fn net_neighbours(mesh: &Mesh) -> Vec<Vec<u32>> {
    let lattice = lattice(mesh.blocks[0].kind);
    let step = |a: usize, b: usize| -> bool {
        let d: [i32; 3] = std::array::from_fn(|k| lattice[a][k] as i32 - lattice[b][k] as i32);
        // Steps along the six edges of the tetrahedron.
        let sum = d[0] + d[1] + d[2];
        d.iter().all(|x| x.abs() <= 1)
            && sum.abs() <= 1
            && d.iter().filter(|x| **x != 0).count() <= 2
    };
    let pairs: Vec<[usize; 2]> = (0..lattice.len())
        .flat_map(|a| (0..lattice.len()).map(move |b| [a, b]))
        .filter(|[a, b]| a != b && step(*a, *b))
        .collect();
    let mut neighbours = vec![Vec::new(); mesh.nodes.len()];
    for (_, nodes) in mesh.cells() {
        for [a, b] in &pairs {
            neighbours[nodes[*a] as usize].push(nodes[*b]);
        }
    }
    for near in &mut neighbours {
        near.sort_unstable();
        near.dedup();
    }
    neighbours
}
