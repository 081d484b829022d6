//! Polynomials on a line, triangle or tetrahedron, represented by Bernstein coefficients.

use crate::element::{CellShape, DenseMatrix, bernstein_simplex};
use crate::mesh::subdivision::{TRIANGLE_CHILDREN, halved};

/// Bernstein polynomials of one degree on a simplex of one to three dimensions.
#[derive(Debug, Clone)]
pub(super) struct SimplexSpace {
    /// Lattice points, where polynomials are sampled; unused coordinates are zero.
    pub(super) points: Vec<[f64; 3]>,
    /// Indices of the points that are corners: there the coefficient equals the value.
    pub(super) corners: Vec<usize>,
    /// Matrix that computes coefficients from samples.
    pub(super) coefficients: DenseMatrix,
    /// For each half-size part, the matrix that computes its coefficients from those on the whole.
    pub(super) parts: Vec<DenseMatrix>,
}

impl SimplexSpace {
    /// The space on a simplex of 1, 2 or 3 dimensions.
    pub(super) fn new(dimensions: usize, degree: usize) -> Self {
        let indices = multi_indices(dimensions, degree);
        let points: Vec<_> = indices.iter().map(|index| lattice_point(*index, degree)).collect();
        let collocation = |points: &[[f64; 3]]| {
            let row = |xi: &[f64; 3]| indices.iter().map(|index| value(*index, *xi)).collect();
            DenseMatrix::from_rows(points.iter().map(row).collect())
        };
        let coefficients = collocation(&points).inverse();
        let part = |corners: &Vec<[f64; 3]>| {
            let inside: Vec<_> = points.iter().map(|xi| placed(corners, *xi)).collect();
            coefficients.times(&collocation(&inside))
        };
        // A constant needs no subdivision.
        let parts = if degree == 0 { Vec::new() } else { sub_simplices(dimensions) };
        let parts = parts.iter().map(part).collect();
        let corners = (0..indices.len()).filter(|k| indices[*k].contains(&degree)).collect();
        Self { points, corners, coefficients, parts }
    }
}

fn value(index: [usize; 4], [x, y, z]: [f64; 3]) -> f64 {
    bernstein_simplex(index, [1.0 - x - y - z, x, y, z])
}

/// All (a, b, c, d) with a + b + c + d = degree, of which only the first `dimensions + 1` may be nonzero.
fn multi_indices(dimensions: usize, degree: usize) -> Vec<[usize; 4]> {
    let most = |axis: usize| if axis < dimensions { degree } else { 0 };
    let mut indices = Vec::new();
    for k in 0..=most(2) {
        for j in 0..=most(1).saturating_sub(k) {
            for i in 0..=most(0) - j - k {
                indices.push([degree - i - j - k, i, j, k]);
            }
        }
    }
    indices
}

fn lattice_point([_, i, j, k]: [usize; 4], degree: usize) -> [f64; 3] {
    [i, j, k].map(|x| x as f64 / degree.max(1) as f64)
}

/// The point with the barycentric coordinates of `xi` in a simplex with these corners.
fn placed(corners: &[[f64; 3]], xi: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let start = corners[0][axis];
        (1..corners.len()).fold(start, |sum, k| sum + xi[k - 1] * (corners[k][axis] - start))
    })
}

/// Corners of the half-size parts of a simplex.
fn sub_simplices(dimensions: usize) -> Vec<Vec<[f64; 3]>> {
    let half = |point: [usize; 3]| point.map(|x| 0.5 * x as f64);
    match dimensions {
        1 => [0, 1].map(|x| vec![half([x, 0, 0]), half([x + 1, 0, 0])]).into(),
        2 => TRIANGLE_CHILDREN.map(|corners| corners.map(|[x, y]| half([x, y, 0])).to_vec()).into(),
        _ => {
            let children = halved(CellShape::Tetrahedron);
            children.into_iter().map(|cell| cell.corners.into_iter().map(half).collect()).collect()
        }
    }
}
