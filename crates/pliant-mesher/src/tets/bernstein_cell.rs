//! Evaluation and inversion of curved tetrahedra, fast for many points.

use glam::{DMat3, DVec3};
use pliant::element::Kind;
use pliant_kernels::element::lattice;

/// The Bernstein basis of one kind of tetrahedron, as powers of barycentric coordinates.
#[derive(Debug)]
pub(super) struct BernsteinCell {
    /// The exponents and the factor p!/(a! b! c! d!) of every basis function.
    terms: Vec<([usize; 4], f64)>,
}

/// A point of a cell and its derivative.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellPoint {
    pub(super) position: DVec3,
    /// ∂x/∂ξ.
    pub(super) jacobian: DMat3,
}

impl BernsteinCell {
    pub(super) fn new(kind: Kind) -> Self {
        let p = kind.degree();
        let factorial = |n: usize| (1..=n).product::<usize>() as f64;
        let term = |[x, y, z]: [usize; 3]| {
            let powers = [p - x - y - z, x, y, z];
            let divisor: f64 = powers.iter().map(|power| factorial(*power)).product();
            (powers, factorial(p) / divisor)
        };
        Self { terms: lattice(kind).into_iter().map(term).collect() }
    }

    /// x(ξ) and ∂x/∂ξ for a cell with these control points.
    pub(super) fn point(&self, nodes: &[DVec3], xi: DVec3) -> CellPoint {
        let lambda = [1.0 - xi.element_sum(), xi.x, xi.y, xi.z];
        // All powers and products of the factors are shared between the value and the four derivatives ∂x/∂λₖ.
        let powers = lambda.map(|x| [1.0, x, x * x, x * x * x]);
        let mut position = DVec3::ZERO;
        let mut slopes = [DVec3::ZERO; 4];
        for ((exponents, factor), node) in self.terms.iter().zip(nodes) {
            let value: [f64; 4] = std::array::from_fn(|k| powers[k][exponents[k]]);
            let slope: [f64; 4] = std::array::from_fn(|k| match exponents[k] {
                0 => 0.0,
                e => e as f64 * powers[k][e - 1],
            });
            let (ab, cd) = (value[0] * value[1], value[2] * value[3]);
            position += *node * (factor * ab * cd);
            slopes[0] += *node * (factor * slope[0] * value[1] * cd);
            slopes[1] += *node * (factor * value[0] * slope[1] * cd);
            slopes[2] += *node * (factor * ab * slope[2] * value[3]);
            slopes[3] += *node * (factor * ab * value[2] * slope[3]);
        }
        // Chain rule with λ₀ = 1 − ξ₁ − ξ₂ − ξ₃: ∂x/∂ξₖ = ∂x/∂λₖ − ∂x/∂λ₀.
        let [s0, s1, s2, s3] = slopes;
        CellPoint { position, jacobian: DMat3::from_cols(s1 - s0, s2 - s0, s3 - s0) }
    }

    /// ξ with x(ξ) = `target`, by Newton's method from `start`; `None` if it does not converge.
    pub(super) fn inverse(&self, nodes: &[DVec3], target: DVec3, start: DVec3) -> Option<DVec3> {
        const STEPS: usize = 12;
        let mut xi = start;
        for _ in 0..STEPS {
            let CellPoint { position, jacobian } = self.point(nodes, xi);
            let step = jacobian.inverse() * (target - position);
            if !(step.is_finite() && step.length_squared() < 100.0) {
                return None;
            }
            xi += step;
            if step.length_squared() < 1e-24 {
                return Some(xi);
            }
        }
        None
    }
}

/// The smallest of the four barycentric coordinates.
pub(super) fn least_coordinate(xi: DVec3) -> f64 {
    xi.min_element().min(1.0 - xi.element_sum())
}
