//! Tetrahedra of degree 4, which are lowered to degree 3 when read.

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::{DenseMatrix, bernstein_from_lagrange, lattice, shape};

/// Degree of the tetrahedra here.
const DEGREE: usize = 4;

/// Edges and faces in Gmsh's order (its reference manual, "Node ordering").
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [3, 0], [3, 2], [3, 1]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [3, 1, 2]];

/// Returns the barycentric lattice points of the 35 nodes, in Gmsh's order and in units of 1/4: corners, three nodes
/// per edge, three per face next to its corners, one in the middle.
fn nodes() -> Vec<[usize; 4]> {
    let place = |weights: &[(usize, usize)]| {
        let mut point = [0; 4];
        weights.iter().for_each(|(corner, weight)| point[*corner] = *weight);
        point
    };
    let mut nodes: Vec<_> = (0..4).map(|corner| place(&[(corner, DEGREE)])).collect();
    for [a, b] in EDGES {
        nodes.extend((1..DEGREE).map(|k| place(&[(a, DEGREE - k), (b, k)])));
    }
    for [a, b, c] in FACES {
        let inner = [[2, 1, 1], [1, 2, 1], [1, 1, 2]];
        nodes.extend(inner.map(|[i, j, k]| place(&[(a, i), (b, j), (c, k)])));
    }
    nodes.push([1; 4]);
    nodes
}

/// Lagrange basis function of a node with lattice point α at barycentric coordinates λ/d:
///
/// ```text
/// L_α(λ) = Πₘ Π_{k < αₘ} (4 λₘ − k) / (k + 1)
/// ```
fn lagrange(alpha: [usize; 4], lambda: [usize; 4], d: usize) -> f64 {
    let mut value = 1.0;
    for (alpha, lambda) in alpha.into_iter().zip(lambda) {
        for k in 0..alpha {
            let numerator = (DEGREE * lambda) as f64 - (k * d) as f64;
            value *= numerator / (d * (k + 1)) as f64;
        }
    }
    value
}

/// The maps from quartic tetrahedra to cubic ones.
#[derive(Debug)]
pub(crate) struct Lowering {
    /// Maps the 35 nodes of a quartic tetrahedron to the nodes of a cubic one, in lattice order.
    pub(crate) cubic_from_quartic: DenseMatrix,
    /// Maps the nodes of the cubic tetrahedron to its control points.
    control_points_from_nodes: DenseMatrix,
    /// Evaluates the cubic shape at the quartic nodes, from control points.
    quartic_from_control_points: DenseMatrix,
}

impl Lowering {
    pub(crate) fn new() -> Self {
        let quartic = nodes();
        let place = |[_, x, y, z]: &[usize; 4]| DVec3::new(*x as f64, *y as f64, *z as f64);
        let quartic_from_control_points =
            quartic.iter().flat_map(|node| shape(Kind::Tet20, place(node) / DEGREE as f64));
        Self {
            quartic_from_control_points: DenseMatrix {
                columns: Kind::Tet20.node_count(),
                entries: quartic_from_control_points.collect(),
            },
            control_points_from_nodes: bernstein_from_lagrange(Kind::Tet20),
            cubic_from_quartic: cubic_from_quartic(&quartic),
        }
    }

    /// Returns the maximum distance of a node of these quartic cells from their cubic shape.
    pub(crate) fn error(&self, points: &[DVec3], cells: &[u32]) -> f64 {
        let mut error: f64 = 0.0;
        for cell in cells.chunks_exact(self.cubic_from_quartic.columns) {
            let given: Vec<DVec3> = cell.iter().map(|node| points[*node as usize]).collect();
            let control =
                self.control_points_from_nodes.apply(&self.cubic_from_quartic.apply(&given));
            for (given, lowered) in
                given.iter().zip(self.quartic_from_control_points.apply(&control))
            {
                error = error.max((lowered - *given).length());
            }
        }
        error
    }
}

fn cubic_from_quartic(quartic: &[[usize; 4]]) -> DenseMatrix {
    let d = Kind::Tet20.degree();
    let row = |[x, y, z]: [usize; 3]| {
        let lambda = [d - x - y - z, x, y, z];
        quartic.iter().map(move |alpha| lagrange(*alpha, lambda, d))
    };
    let entries = lattice(Kind::Tet20).into_iter().flat_map(row).collect();
    DenseMatrix { columns: quartic.len(), entries }
}
