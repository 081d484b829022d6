//! Quadrature on the reference cells.

use glam::DVec3;

use super::gauss::gauss_jacobi;
use super::kind::{CellShape, Kind};
use super::simplex_rules;

/// A point of a quadrature rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuadraturePoint {
    /// Reference coordinates.
    pub xi: DVec3,
    /// Weight; all weights of a rule sum to the volume of the reference cell.
    pub weight: f64,
}

/// Points and positive weights on a reference cell.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadratureRule {
    /// The points.
    pub points: Vec<QuadraturePoint>,
}

impl QuadratureRule {
    /// Returns a rule that is exact for polynomials of `degree`: total degree on tetrahedra, degree in each direction
    /// on hexahedra, degree in the triangle and along the axis on prisms, degree in each of the collapsed coordinates
    /// u, v and in z on pyramids.
    pub fn of_degree(shape: CellShape, degree: usize) -> Self {
        let points = match shape {
            CellShape::Tetrahedron => tetrahedron(degree),
            CellShape::Hexahedron => hexahedron(degree),
            CellShape::Prism => prism(degree),
            CellShape::Pyramid => pyramid(degree, degree),
        };
        Self::from_points(points)
    }

    fn from_points(points: Vec<(DVec3, f64)>) -> Self {
        let points = points.into_iter().map(|(xi, weight)| QuadraturePoint { xi, weight });
        Self { points: points.collect() }
    }

    /// Returns the smallest rule that integrates the stiffness of a straight (affine) cell exactly.
    ///
    /// Strains of a linear pyramid do not depend on z, so one point along z is enough.
    pub fn for_straight(kind: Kind) -> Self {
        let p = kind.degree();
        match kind.shape() {
            CellShape::Tetrahedron => Self::of_degree(kind.shape(), 2 * (p - 1)),
            CellShape::Hexahedron | CellShape::Prism => Self::of_degree(kind.shape(), 2 * p),
            CellShape::Pyramid => Self::from_points(pyramid(2, 1)),
        }
    }

    /// Returns the smallest rule with which a curved cell passes the patch test.
    ///
    /// Nodal forces of a uniform stress are ∫ cof(J) ∂B/∂ξ, of degree 3(p − 1) on tetrahedra, at
    /// most 3p − 1 in each direction of hexahedra and prisms, and 2 in u and v on pyramids;
    /// integrated exactly they cancel at inner nodes.
    pub fn for_curved(kind: Kind) -> Self {
        let p = kind.degree();
        match kind.shape() {
            CellShape::Tetrahedron => Self::of_degree(kind.shape(), 3 * (p - 1)),
            CellShape::Hexahedron | CellShape::Prism => Self::of_degree(kind.shape(), 3 * p - 1),
            CellShape::Pyramid => Self::from_points(pyramid(2, 1)),
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns true if there are no points, which is never the case for a rule made here.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// Number of Gauss points along a line needed for `degree`.
fn point_count(degree: usize) -> usize {
    degree / 2 + 1
}

fn tetrahedron(degree: usize) -> Vec<(DVec3, f64)> {
    simplex_rules::tetrahedron(degree).unwrap_or_else(|| {
        let n = point_count(degree);
        let mut points = Vec::new();
        for (z, wz) in gauss_jacobi(n, 2) {
            for ([x, y], w) in collapsed_triangle(n) {
                let side = 1.0 - z;
                points.push((DVec3::new(x * side, y * side, z), w * wz));
            }
        }
        points
    })
}

fn collapsed_triangle(n: usize) -> Vec<([f64; 2], f64)> {
    let mut points = Vec::new();
    for (y, wy) in gauss_jacobi(n, 1) {
        for (x, wx) in gauss_jacobi(n, 0) {
            points.push(([x * (1.0 - y), y], wx * wy));
        }
    }
    points
}

fn hexahedron(degree: usize) -> Vec<(DVec3, f64)> {
    let line = gauss_jacobi(point_count(degree), 0);
    let mut points = Vec::new();
    for &(z, wz) in &line {
        for &(y, wy) in &line {
            for &(x, wx) in &line {
                points.push((DVec3::new(x, y, z), wx * wy * wz));
            }
        }
    }
    points
}

fn prism(degree: usize) -> Vec<(DVec3, f64)> {
    let n = point_count(degree);
    let base = simplex_rules::triangle(degree).unwrap_or_else(|| collapsed_triangle(n));
    let mut points = Vec::new();
    for (z, wz) in gauss_jacobi(n, 0) {
        for &([x, y], w) in &base {
            points.push((DVec3::new(x, y, z), w * wz));
        }
    }
    points
}

/// Gauss rule in the collapsed coordinates: exact for `degree` in u and v and `degree_z` along z.
fn pyramid(degree: usize, degree_z: usize) -> Vec<(DVec3, f64)> {
    let line = gauss_jacobi(point_count(degree), 0);
    let mut points = Vec::new();
    for (z, wz) in gauss_jacobi(point_count(degree_z), 2) {
        for &(v, wv) in &line {
            for &(u, wu) in &line {
                points.push((DVec3::new(u * (1.0 - z), v * (1.0 - z), z), wu * wv * wz));
            }
        }
    }
    points
}
