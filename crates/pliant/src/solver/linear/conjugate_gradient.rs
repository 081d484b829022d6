//! Conjugate gradients, for every operator and preconditioner.

use glam::DVec3;

use super::vectors::{advance, chunk_count, dot, for_chunks, turn, weighted_square};

/// A symmetric positive definite matrix in the unknowns.
pub trait Operator {
    /// Writes A p.
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]);
}

/// Something symmetric and positive definite that is close to the inverse of an operator.
pub trait Preconditioner {
    /// Writes z ≈ A⁻¹ r.
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]);

    /// Writes z ≈ A⁻¹ r and returns r·z, in one go where that saves a pass; `partial` is for sums.
    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        self.apply(r, z);
        dot(r, z, partial)
    }
}

/// When to stop.
///
/// Residuals are measured in the norm (Σ w |r|²)^½ with w one over the diagonal of A: the same for
/// every preconditioner, so that the tolerance means the same for all.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'a> {
    /// Residual over reference at which the solution is good enough.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: u32,
    /// What residuals are compared with; the norm of the right-hand side if none.
    pub reference: Option<f64>,
    /// One over the diagonal of A.
    pub weights: &'a [f64],
}

/// How a solve went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Iterations taken.
    pub iterations: u32,
    /// Residual over reference; infinite if there is no number for it.
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) with their vectors.
///
/// With a positive definite matrix every iterate is nearer to the solution, in the norm of energy,
/// than the one before: wherever the loop has to stop, the last is the best.
#[derive(Debug, Clone, Default)]
pub struct ConjugateGradient {
    r: Vec<DVec3>,
    z: Vec<DVec3>,
    p: Vec<DVec3>,
    q: Vec<DVec3>,
    partial: Vec<f64>,
    left: DVec3,
}

impl ConjugateGradient {
    /// Room for so many unknowns.
    pub fn new(unknowns: usize) -> Self {
        let zero = || vec![DVec3::ZERO; unknowns];
        let partial = vec![0.0; chunk_count(unknowns)];
        Self { r: zero(), z: zero(), p: zero(), q: zero(), partial, left: DVec3::ZERO }
    }

    /// Makes room for so many unknowns, if there is less.
    pub fn make_room(&mut self, unknowns: usize) {
        if self.r.len() < unknowns {
            *self = Self::new(unknowns);
        }
    }

    /// r: what the last solve, of so many unknowns, left of every equation.
    pub fn residual(&self, unknowns: usize) -> &[DVec3] {
        &self.r[..unknowns]
    }

    /// Σ r: what the last solve left of the sum of all equations.
    pub fn left(&self) -> DVec3 {
        self.left
    }

    /// The norm in which residuals are measured.
    pub fn norm(&mut self, weights: &[f64], v: &[DVec3]) -> f64 {
        weighted_square(weights, v, &mut self.partial).sqrt()
    }

    /// Solves A y = b from the guess in `y`.
    ///
    /// Stops early where numbers are not finite or a direction is not positive, with what it has
    /// by then: `y` is finite at the end, whatever came in.
    pub fn solve(
        &mut self,
        a: &mut dyn Operator,
        m: &mut dyn Preconditioner,
        b: &[DVec3],
        y: &mut [DVec3],
        stop: &Stop<'_>,
    ) -> Outcome {
        let given = stop.reference.filter(|reference| *reference > 0.0);
        let reference = given.unwrap_or_else(|| self.norm(stop.weights, b));
        self.left = DVec3::ZERO;
        if reference == 0.0 || !all_finite(y) {
            y.fill(DVec3::ZERO);
        }
        if reference == 0.0 || !reference.is_finite() {
            self.r[..y.len()].copy_from_slice(b);
            // Nothing acts, or nothing sensible does.
            let residual = if reference == 0.0 { 0.0 } else { f64::INFINITY };
            return Outcome { iterations: 0, residual, converged: reference == 0.0 };
        }
        let mut outcome = self.iterate(a, m, b, y, stop, reference);
        self.left = self.r[..y.len()].iter().sum();
        if !all_finite(y) {
            y.fill(DVec3::ZERO);
            outcome = Outcome { residual: f64::INFINITY, converged: false, ..outcome };
        }
        outcome
    }

    fn iterate(
        &mut self,
        a: &mut dyn Operator,
        m: &mut dyn Preconditioner,
        b: &[DVec3],
        y: &mut [DVec3],
        stop: &Stop<'_>,
        reference: f64,
    ) -> Outcome {
        // There may be fewer unknowns than there is room for.
        let (n, partial) = (y.len(), &mut self.partial);
        let (r, z) = (&mut self.r[..n], &mut self.z[..n]);
        let (p, q) = (&mut self.p[..n], &mut self.q[..n]);
        residual(a, b, y, r);
        let mut residual = weighted_square(stop.weights, r, partial).sqrt() / reference;
        let (mut iterations, mut rz) = (0, 0.0);
        while residual > stop.tolerance && iterations < stop.max_iterations {
            let before = std::mem::replace(&mut rz, m.apply_dot(r, z, partial));
            if iterations == 0 {
                p.copy_from_slice(z);
            } else {
                turn(z, rz / before, p);
            }
            a.apply(p, q);
            let alpha = rz / dot(p, q, partial);
            if !(alpha.is_finite() && alpha > 0.0 && rz > 0.0) {
                break;
            }
            let square = advance(alpha, [p, q], [y, r], stop.weights, partial);
            residual = square.sqrt() / reference;
            iterations += 1;
        }
        let converged = residual <= stop.tolerance;
        let residual = if residual.is_nan() { f64::INFINITY } else { residual };
        Outcome { iterations, residual, converged }
    }
}

/// r = b − A y, without a product where `y` is zero.
fn residual(a: &mut dyn Operator, b: &[DVec3], y: &[DVec3], r: &mut [DVec3]) {
    if y.iter().all(|y| *y == DVec3::ZERO) {
        r.copy_from_slice(b);
        return;
    }
    a.apply(y, r);
    for_chunks(r, |first, r| {
        r.iter_mut().zip(&b[first..]).for_each(|(r, b)| *r = *b - *r);
    });
}

fn all_finite(v: &[DVec3]) -> bool {
    v.iter().all(|v| v.is_finite())
}
