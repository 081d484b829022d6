//! The maps from tetrahedra of a high degree to cubic ones.

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::{DenseMatrix, bernstein_from_lagrange, lattice, shape};

use super::nodes::{Weights, nodes};

/// Lagrange basis function of the node with lattice point α of degree n, at barycentric coordinates λ/d:
///
/// ```text
/// L_α(λ) = Πₘ Π_{k < αₘ} (n λₘ − k) / (k + 1)
/// ```
fn lagrange(n: usize, alpha: Weights, lambda: Weights, d: usize) -> f64 {
    let mut value = 1.0;
    for (alpha, lambda) in alpha.into_iter().zip(lambda) {
        for k in 0..alpha {
            let numerator = (n * lambda) as f64 - (k * d) as f64;
            value *= numerator / (d * (k + 1)) as f64;
        }
    }
    value
}

/// The maps from the tetrahedra of one degree.
#[derive(Debug)]
pub(crate) struct Lowering {
    /// Maps the nodes of a cell in the file to those of a cubic one, in lattice order.
    pub(crate) cubic: DenseMatrix,
    /// Maps the nodes of a cell in the file to those of a quadratic one, in lattice order.
    pub(super) quadratic: DenseMatrix,
    /// Maps the nodes of the cubic cell to its control points.
    control_points: DenseMatrix,
    /// Evaluates the cubic cell at the nodes of the file, from control points.
    back: DenseMatrix,
}

impl Lowering {
    /// Creates the maps from tetrahedra of degree `n`, with nodes in Gmsh's order.
    pub(crate) fn new(n: usize) -> Self {
        let high = nodes(n);
        let place = |[_, x, y, z]: &Weights| DVec3::new(*x as f64, *y as f64, *z as f64);
        let back = high.iter().map(|node| shape(Kind::Tet20, place(node) / n as f64)).collect();
        Self {
            cubic: sampled(&high, n, Kind::Tet20),
            quadratic: sampled(&high, n, Kind::Tet10),
            control_points: bernstein_from_lagrange(Kind::Tet20),
            back: DenseMatrix::from_rows(back),
        }
    }

    /// Returns the maximum distance of a node of a cell from the cubic shape with these nodes.
    pub(super) fn error(&self, given: &[DVec3], cubic: &[DVec3]) -> f64 {
        let lowered = self.back.apply(&self.control_points.apply(cubic));
        let distances =
            given.iter().zip(lowered).map(|(given, lowered)| (lowered - *given).length());
        distances.fold(0.0, f64::max)
    }
}

/// Returns the matrix that evaluates cells of degree `n` at the nodes of `target`.
fn sampled(high: &[Weights], n: usize, target: Kind) -> DenseMatrix {
    let d = target.degree();
    let row = |[x, y, z]: [usize; 3]| {
        let lambda = [d - x - y - z, x, y, z];
        high.iter().map(move |alpha| lagrange(n, *alpha, lambda, d))
    };
    let entries = lattice(target).into_iter().flat_map(row).collect();
    DenseMatrix { columns: high.len(), entries }
}
