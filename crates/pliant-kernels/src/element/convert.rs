//! Linear maps between sets of control points: Lagrange ↔ Bernstein, degree elevation, subcells.

use glam::DVec3;

use super::basis::shape;
use super::kind::Kind;
use super::lattice::lattice;

/// A small dense matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseMatrix {
    /// Number of columns.
    pub columns: usize,
    /// Entries, row by row.
    pub entries: Vec<f64>,
}

impl DenseMatrix {
    /// The matrix with these rows.
    pub fn from_rows(rows: Vec<Vec<f64>>) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        Self { columns, entries: rows.into_iter().flatten().collect() }
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.entries.chunks_exact(self.columns)
    }

    /// Applies the matrix to points. Zero entries are skipped, so that a corner is copied bit by bit.
    pub fn apply(&self, points: &[DVec3]) -> Vec<DVec3> {
        let blend = |row: &[f64]| {
            let terms = row.iter().zip(points).filter(|(weight, _)| **weight != 0.0);
            terms.map(|(weight, point)| *weight * *point).sum()
        };
        self.rows().map(blend).collect()
    }

    /// Matrix product.
    pub fn times(&self, other: &Self) -> Self {
        let entry = |row: &[f64], j: usize| -> f64 {
            row.iter().enumerate().map(|(k, a)| a * other.entries[k * other.columns + j]).sum()
        };
        let row = |row: &[f64]| (0..other.columns).map(|j| entry(row, j)).collect();
        Self::from_rows(self.rows().map(row).collect())
    }

    /// Returns the inverse, by Gauss–Jordan elimination with partial pivoting.
    pub fn inverse(&self) -> Self {
        let n = self.columns;
        let mut rows: Vec<Vec<f64>> = self.rows().map(<[f64]>::to_vec).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            row.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
        }
        for column in 0..n {
            let size = |row: &usize| rows[*row][column].abs();
            let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
            rows.swap(column, pivot);
            let scale = 1.0 / rows[column][column];
            rows[column].iter_mut().for_each(|x| *x *= scale);
            let pivot_row = rows[column].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
                let factor = row[column];
                row.iter_mut().zip(&pivot_row).for_each(|(x, y)| *x -= factor * y);
            }
        }
        Self::from_rows(rows.into_iter().map(|row| row[n..].to_vec()).collect())
    }

    /// Removes the rounding error of entries whose exact value is a known fraction.
    ///
    /// Lattice values of cubic tetrahedra are multiples of 1/27, those of quadratic hexahedra of
    /// 1/64; their inverses, elevations and halvings have denominators that divide 27·64. Other
    /// entries (those of an arbitrary [`restriction`]) are unchanged.
    fn snapped(mut self) -> Self {
        const DENOMINATOR: f64 = 1728.0;
        const ROUNDING: f64 = 1e-10;
        for x in &mut self.entries {
            let multiple = (*x * DENOMINATOR).round();
            if (*x * DENOMINATOR - multiple).abs() < ROUNDING {
                // Adding zero turns −0 into 0.
                *x = multiple / DENOMINATOR + 0.0;
            }
        }
        self
    }
}

/// Reference coordinates of the lattice points of a kind.
fn lattice_points(kind: Kind) -> Vec<DVec3> {
    let p = kind.degree() as f64;
    lattice(kind).into_iter().map(|node| DVec3::from(node.map(|x| x as f64)) / p).collect()
}

/// Returns the matrix from control points to Lagrange nodes (which lie on the cell).
pub fn lagrange_from_bernstein(kind: Kind) -> DenseMatrix {
    let rows = lattice_points(kind).into_iter().map(|xi| shape(kind, xi)).collect();
    DenseMatrix::from_rows(rows).snapped()
}

/// Returns the exact inverse map, from Lagrange nodes to control points.
pub fn bernstein_from_lagrange(kind: Kind) -> DenseMatrix {
    lagrange_from_bernstein(kind).inverse().snapped()
}

/// Returns the matrix from the control points of a cell to those of the same cell in a higher degree.
pub fn elevation(from: Kind, to: Kind) -> DenseMatrix {
    let sampled = lattice_points(to).into_iter().map(|xi| shape(from, xi)).collect();
    bernstein_from_lagrange(to).times(&DenseMatrix::from_rows(sampled)).snapped()
}

/// Returns the matrix to control points of kind `to` that reproduce a part of a cell of kind `from`: `place` maps the
/// reference cell of `to` into that of `from`.
pub fn restriction(from: Kind, to: Kind, place: impl Fn(DVec3) -> DVec3) -> DenseMatrix {
    let sampled = lattice_points(to).into_iter().map(|xi| shape(from, place(xi))).collect();
    bernstein_from_lagrange(to).times(&DenseMatrix::from_rows(sampled)).snapped()
}
