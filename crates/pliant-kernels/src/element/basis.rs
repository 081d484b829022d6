//! Bernstein bases.
//!
//! ```text
//! tetrahedron  B_abcd = p!/(a! b! c! d!) λ₀ᵃ λ₁ᵇ λ₂ᶜ λ₃ᵈ            a + b + c + d = p
//! hexahedron   B_ijk  = b_i(x) b_j(y) b_k(z)       b_i(x) = C(p,i) xⁱ (1 − x)ᵖ⁻ⁱ
//! prism        B_abck = B_abc(λ) b_k(z)
//! pyramid      B_ij   = (1 − z) b_i(u) b_j(v),  B_apex = z         u = x/(1 − z), v = y/(1 − z)
//! ```
//!
//! The basis of the pyramid is the rational one that matches its neighbours on every face; it is the lowest of the
//! family of Ainsworth, Davydov & Schumaker 2016.

use glam::DVec3;

use super::kind::{CellShape, Kind};
use super::lattice::lattice;

/// Returns the values Bₐ(ξ) of all basis functions of a kind.
pub fn shape(kind: Kind, xi: DVec3) -> Vec<f64> {
    lattice(kind).into_iter().map(|node| value(kind, node, xi)).collect()
}

/// Returns the gradients ∂Bₐ/∂ξ of all basis functions of a kind.
pub fn shape_gradient(kind: Kind, xi: DVec3) -> Vec<DVec3> {
    lattice(kind).into_iter().map(|node| gradient(kind, node, xi)).collect()
}

fn value(kind: Kind, [i, j, k]: [usize; 3], xi: DVec3) -> f64 {
    let p = kind.degree();
    let (x, y, z) = (xi.x, xi.y, xi.z);
    match kind.shape() {
        CellShape::Tetrahedron => {
            bernstein_simplex([p - i - j - k, i, j, k], [1.0 - x - y - z, x, y, z])
        }
        CellShape::Hexahedron => bernstein(p, i, x) * bernstein(p, j, y) * bernstein(p, k, z),
        CellShape::Prism => {
            bernstein_simplex([p - i - j, i, j, 0], [1.0 - x - y, x, y, 1.0]) * bernstein(p, k, z)
        }
        CellShape::Pyramid if k == 1 => z,
        CellShape::Pyramid => {
            let (u, v) = collapsed(xi);
            (1.0 - z) * bernstein(1, i, u) * bernstein(1, j, v)
        }
    }
}

fn gradient(kind: Kind, [i, j, k]: [usize; 3], xi: DVec3) -> DVec3 {
    let p = kind.degree();
    let (x, y, z) = (xi.x, xi.y, xi.z);
    match kind.shape() {
        CellShape::Tetrahedron => {
            let d = simplex_gradient([p - i - j - k, i, j, k], [1.0 - x - y - z, x, y, z]);
            DVec3::new(d[1] - d[0], d[2] - d[0], d[3] - d[0])
        }
        CellShape::Hexahedron => {
            let [a, b, c] = [bernstein(p, i, x), bernstein(p, j, y), bernstein(p, k, z)];
            let [da, db, dc] = [slope(p, i, x), slope(p, j, y), slope(p, k, z)];
            DVec3::new(da * b * c, a * db * c, a * b * dc)
        }
        CellShape::Prism => {
            let (index, lambda) = ([p - i - j, i, j, 0], [1.0 - x - y, x, y, 1.0]);
            let (d, c) = (simplex_gradient(index, lambda), bernstein(p, k, z));
            DVec3::new(
                (d[1] - d[0]) * c,
                (d[2] - d[0]) * c,
                bernstein_simplex(index, lambda) * slope(p, k, z),
            )
        }
        CellShape::Pyramid if k == 1 => DVec3::Z,
        CellShape::Pyramid => {
            let (u, v) = collapsed(xi);
            let (f, g) = (bernstein(1, i, u), bernstein(1, j, v));
            let (df, dg) = (slope(1, i, u), slope(1, j, v));
            DVec3::new(df * g, f * dg, u * df * g + v * f * dg - f * g)
        }
    }
}

/// Collapsed coordinates (u, v) of a point of the pyramid; the middle of the square at the apex, where they are
/// undefined.
fn collapsed(xi: DVec3) -> (f64, f64) {
    let side = 1.0 - xi.z;
    if side > 1e-14 { (xi.x / side, xi.y / side) } else { (0.5, 0.5) }
}

/// b_i(x) = C(p,i) xⁱ (1 − x)ᵖ⁻ⁱ.
fn bernstein(p: usize, i: usize, x: f64) -> f64 {
    bernstein_simplex([p - i, i, 0, 0], [1.0 - x, x, 1.0, 1.0])
}

/// db_i/dx.
fn slope(p: usize, i: usize, x: f64) -> f64 {
    let d = simplex_gradient([p - i, i, 0, 0], [1.0 - x, x, 1.0, 1.0]);
    d[1] - d[0]
}

/// Returns a Bernstein polynomial of a simplex: the multinomial coefficient times powers of the barycentric
/// coordinates. Simplices with fewer corners leave the last indices zero.
pub fn bernstein_simplex(index: [usize; 4], lambda: [f64; 4]) -> f64 {
    (0..4).fold(multinomial(index), |product, m| product * power(lambda[m], index[m]))
}

/// Derivatives of [`bernstein_simplex`] with respect to each λ, as if these were independent.
fn simplex_gradient(index: [usize; 4], lambda: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|m| {
        if index[m] == 0 {
            return 0.0;
        }
        let mut lower = index;
        lower[m] -= 1;
        let product = (0..4).fold(1.0, |product, n| product * power(lambda[n], lower[n]));
        multinomial(index) * index[m] as f64 * product
    })
}

fn multinomial(index: [usize; 4]) -> f64 {
    let factorial = |n: usize| (1..=n).product::<usize>();
    let denominator: usize = index.iter().map(|&n| factorial(n)).product();
    (factorial(index.iter().sum()) / denominator) as f64
}

/// xⁿ by repeated multiplication, so that the result does not depend on the platform's `pow`.
fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |product, _| product * x)
}
