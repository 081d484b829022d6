//! The polynomial space of the Jacobian determinants of each kind of cell.
//!
//! ```text
//! tetrahedron  total degree 3(p − 1)
//! hexahedron   degree 3p − 1 in each direction
//! prism        degree 3p − 2 in the triangle, 3p − 1 along the axis
//! pyramid      degree 2 in each of the collapsed coordinates u, v; constant along z
//! ```

use glam::DVec3;

use crate::element::{CellShape, DenseMatrix, Kind, jacobian, shape_gradient};

use super::simplex_space::SimplexSpace;

/// The space of det J for one kind of cell: a tensor product of spaces, the first index running fastest.
#[derive(Debug, Clone)]
pub(super) struct DetSpace {
    factors: Vec<SimplexSpace>,
    /// Gradients of the shape functions at each sample point.
    gradients: Vec<Vec<DVec3>>,
    /// Indices of the coefficients that are values of det J: those at the corners.
    corners: Vec<usize>,
}

impl DetSpace {
    /// The space for a kind.
    pub(super) fn new(kind: Kind) -> Self {
        let p = kind.degree();
        let line = |degree| SimplexSpace::new(1, degree);
        let factors = match kind.shape() {
            CellShape::Tetrahedron => vec![SimplexSpace::new(3, 3 * (p - 1))],
            CellShape::Hexahedron => vec![line(3 * p - 1), line(3 * p - 1), line(3 * p - 1)],
            CellShape::Prism => vec![SimplexSpace::new(2, 3 * p - 2), line(3 * p - 1)],
            CellShape::Pyramid => vec![line(2), line(2)],
        };
        let gradients = sample_points(kind.shape(), &factors)
            .into_iter()
            .map(|xi| shape_gradient(kind, xi))
            .collect();
        let corners = product_corners(&factors);
        Self { factors, gradients, corners }
    }

    /// Samples det J of a cell with these control points, at as many points as determine it.
    pub(super) fn samples(&self, points: &[DVec3]) -> Vec<f64> {
        self.gradients.iter().map(|gradients| jacobian(points, gradients).det()).collect()
    }

    /// Returns the Bernstein coefficients of det J from its samples.
    pub(super) fn coefficients(&self, samples: Vec<f64>) -> Vec<f64> {
        let matrices: Vec<_> = self.factors.iter().map(|factor| &factor.coefficients).collect();
        apply_product(&matrices, samples)
    }

    /// Returns the largest factor by which coefficients, and their rounding errors, can exceed the samples.
    pub(super) fn growth(&self) -> f64 {
        let row_sum = |row: &[f64]| row.iter().map(|x| x.abs()).sum::<f64>();
        let norm =
            |factor: &SimplexSpace| factor.coefficients.rows().map(row_sum).fold(0.0, f64::max);
        self.factors.iter().map(norm).product()
    }

    /// Returns the values of det J at the corners, from its coefficients.
    pub(super) fn corner_values(&self, coefficients: &[f64]) -> impl Iterator<Item = f64> {
        self.corners.iter().map(|corner| coefficients[*corner])
    }

    /// Returns the coefficients on every half-size part of the cell; empty where det J is constant.
    pub(super) fn parts(&self, coefficients: &[f64]) -> Vec<Vec<f64>> {
        let mut choices: Vec<Vec<&DenseMatrix>> = vec![Vec::new()];
        for factor in &self.factors {
            let mut longer = Vec::with_capacity(choices.len() * factor.parts.len());
            for choice in &choices {
                longer.extend(factor.parts.iter().map(|part| [&choice[..], &[part]].concat()));
            }
            choices = longer;
        }
        choices.iter().map(|choice| apply_product(choice, coefficients.to_vec())).collect()
    }
}

/// Points of the product lattice, in reference coordinates. Pyramids are sampled on their base.
fn sample_points(shape: CellShape, factors: &[SimplexSpace]) -> Vec<DVec3> {
    let first_axis: &[usize] = match shape {
        CellShape::Tetrahedron => &[0],
        CellShape::Prism => &[0, 2],
        CellShape::Hexahedron | CellShape::Pyramid => &[0, 1, 2],
    };
    let mut points = vec![[0.0; 3]];
    for (factor, &first) in factors.iter().zip(first_axis) {
        points = factor
            .points
            .iter()
            .flat_map(|xi| points.iter().map(move |point| with_axes(*point, first, *xi)))
            .collect();
    }
    points.into_iter().map(DVec3::from).collect()
}

/// Adds the coordinates of a factor to those of `point`, starting at axis `first`.
fn with_axes(mut point: [f64; 3], first: usize, xi: [f64; 3]) -> [f64; 3] {
    point[first..].iter_mut().zip(xi).for_each(|(x, value)| *x += value);
    point
}

fn product_corners(factors: &[SimplexSpace]) -> Vec<usize> {
    let (mut corners, mut stride) = (vec![0], 1);
    for factor in factors {
        corners = factor
            .corners
            .iter()
            .flat_map(|corner| corners.iter().map(move |start| start + corner * stride))
            .collect();
        stride *= factor.points.len();
    }
    corners
}

/// Applies one square matrix along each direction of an array.
fn apply_product(matrices: &[&DenseMatrix], mut values: Vec<f64>) -> Vec<f64> {
    let mut stride = 1;
    for matrix in matrices {
        values = apply_along(matrix, &values, stride);
        stride *= matrix.columns;
    }
    values
}

fn apply_along(matrix: &DenseMatrix, values: &[f64], stride: usize) -> Vec<f64> {
    let n = matrix.columns;
    let mut result = vec![0.0; values.len()];
    for (slot, sum) in result.iter_mut().enumerate() {
        let (row, start) = (slot / stride % n, slot / (stride * n) * stride * n + slot % stride);
        let weights = &matrix.entries[row * n..(row + 1) * n];
        *sum = (0..n).map(|k| weights[k] * values[start + k * stride]).sum();
    }
    result
}
