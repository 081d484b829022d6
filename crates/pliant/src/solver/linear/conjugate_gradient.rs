//! Conjugate gradients for any operator and preconditioner.

use glam::DVec3;

use super::vectors::{advance, chunk_count, dot, for_chunks, turn, weighted_square};

/// A symmetric positive definite matrix in the unknowns.
pub trait Operator {
    /// Writes A p.
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]);

    /// Writes A p and returns p·A p, in one pass if possible; `partial` is a buffer for sums.
    fn apply_dot(&mut self, p: &[DVec3], product: &mut [DVec3], partial: &mut [f64]) -> f64 {
        self.apply(p, product);
        dot(p, product, partial)
    }
}

/// A symmetric positive definite approximation of the inverse of an operator.
pub(crate) trait Preconditioner {
    /// Writes z ≈ A⁻¹ r.
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]);

    /// Writes z ≈ A⁻¹ r and returns r·z, in one pass if possible; `partial` is a buffer for sums.
    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        self.apply(r, z);
        dot(r, z, partial)
    }
}

/// Criteria to stop.
///
/// Residuals are measured in the norm (Σ w |r|²)^½ with w the inverse diagonal of A. The norm is the same for every
/// preconditioner, and so is the meaning of the tolerance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop<'a> {
    /// Residual over reference at which the solve stops.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: u32,
    /// Reference for residuals; `None` for the norm of the right-hand side.
    pub reference: Option<f64>,
    /// The inverse diagonal of A.
    pub weights: &'a [f64],
}

/// Outcome of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Iterations taken.
    pub iterations: u32,
    /// Residual over reference; infinite if it is not a number.
    pub residual: f64,
    /// True if the tolerance was reached.
    pub converged: bool,
}

/// The share of the tolerance that a correction aims at, because rounding leaves a little more.
const CORRECTION_MARGIN: f64 = 0.8;

/// The smallest share of a residual that a correction in single precision can leave.
const LEAST_CORRECTION: f64 = 1e-4;

/// The largest share of a residual that a useful correction leaves.
const LARGEST_REMAINDER: f64 = 0.5;

/// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) with their buffers.
///
/// For a positive definite matrix every iterate is closer to the solution, in the energy norm, than the one before: the
/// last iterate is the best wherever the loop stops.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConjugateGradient {
    r: Vec<DVec3>,
    z: Vec<DVec3>,
    p: Vec<DVec3>,
    q: Vec<DVec3>,
    partial: Vec<f64>,
    left: DVec3,
}

impl ConjugateGradient {
    /// Buffers for this number of unknowns.
    pub(crate) fn new(unknowns: usize) -> Self {
        let zero = || vec![DVec3::ZERO; unknowns];
        let partial = vec![0.0; chunk_count(unknowns)];
        Self { r: zero(), z: zero(), p: zero(), q: zero(), partial, left: DVec3::ZERO }
    }

    /// Grows the buffers to this number of unknowns.
    pub(crate) fn make_room(&mut self, unknowns: usize) {
        if self.r.len() < unknowns {
            *self = Self::new(unknowns);
        }
    }

    /// The residual r of the last solve, with this number of unknowns.
    pub(crate) fn residual(&self, unknowns: usize) -> &[DVec3] {
        &self.r[..unknowns]
    }

    /// Σ r: the sum of the residuals of the last solve.
    pub(crate) fn left(&self) -> DVec3 {
        self.left
    }

    /// The norm in which residuals are measured.
    pub(crate) fn norm(&mut self, weights: &[f64], v: &[DVec3]) -> f64 {
        weighted_square(weights, v, &mut self.partial).sqrt()
    }

    /// The norm with which residuals are compared.
    fn reference(&mut self, b: &[DVec3], stop: &Stop<'_>) -> f64 {
        let given = stop.reference.filter(|reference| *reference > 0.0);
        given.unwrap_or_else(|| self.norm(stop.weights, b))
    }

    /// Improves the guess `y` by corrections (iterative refinement: Wilkinson 1963) until the residual is small enough, or corrections do not help. Each is computed by `correct`
    /// from a residual, the share of it that may be left, and the iterations that it may take; it returns those that it took.
    pub(crate) fn correct<A: Operator>(
        &mut self,
        a: &mut A,
        b: &[DVec3],
        y: &mut [DVec3],
        stop: &Stop<'_>,
        mut correct: impl FnMut(&mut A, &[DVec3], (f64, u32), &mut [DVec3]) -> u32,
    ) -> Outcome {
        let (n, reference) = (y.len(), self.reference(b, stop));
        let Self { r, z, q, partial, .. } = self;
        let (r, z, q) = (&mut r[..n], &mut z[..n], &mut q[..n]);
        residual(a, b, y, r);
        let mut size = weighted_square(stop.weights, r, partial).sqrt() / reference;
        let mut iterations = 0;
        while size > stop.tolerance && size.is_finite() && iterations < stop.max_iterations {
            let wanted = (CORRECTION_MARGIN * stop.tolerance / size).max(LEAST_CORRECTION);
            iterations += correct(a, r, (wanted, stop.max_iterations - iterations), z);
            a.apply(z, q);
            q.iter_mut().zip(&*r).for_each(|(q, r)| *q = *r - *q);
            let after = weighted_square(stop.weights, q, partial).sqrt() / reference;
            let helps = after <= LARGEST_REMAINDER * size;
            // Also where a number is not finite.
            if !helps {
                break;
            }
            y.iter_mut().zip(&*z).for_each(|(y, z)| *y += *z);
            r.copy_from_slice(q);
            size = after;
        }
        self.left = r.iter().sum();
        Outcome { iterations, residual: size, converged: size <= stop.tolerance }
    }

    /// Solves A y = b from the guess in `y`.
    ///
    /// Stops early if a number is not finite or the matrix is not positive along a direction, and returns the last
    /// iterate: `y` is finite at the end for any input.
    pub(crate) fn solve(
        &mut self,
        a: &mut dyn Operator,
        m: &mut dyn Preconditioner,
        b: &[DVec3],
        y: &mut [DVec3],
        stop: &Stop<'_>,
    ) -> Outcome {
        let reference = self.reference(b, stop);
        self.left = DVec3::ZERO;
        if reference == 0.0 || !all_finite(y) {
            y.fill(DVec3::ZERO);
        }
        if reference == 0.0 || !reference.is_finite() {
            self.r[..y.len()].copy_from_slice(b);
            // The loads are zero, or not finite.
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
        // The buffers may be larger than the number of unknowns.
        let (n, partial) = (y.len(), &mut self.partial);
        let (r, z) = (&mut self.r[..n], &mut self.z[..n]);
        let (p, q) = (&mut self.p[..n], &mut self.q[..n]);
        if y.iter().all(|y| *y == DVec3::ZERO) {
            r.copy_from_slice(b);
        } else {
            residual(a, b, y, r);
        }
        let mut residual = weighted_square(stop.weights, r, partial).sqrt() / reference;
        let (mut iterations, mut rz) = (0, 0.0);
        while residual > stop.tolerance && iterations < stop.max_iterations {
            let before = std::mem::replace(&mut rz, m.apply_dot(r, z, partial));
            if iterations == 0 {
                p.copy_from_slice(z);
            } else {
                turn(z, rz / before, p);
            }
            let alpha = rz / a.apply_dot(p, q, partial);
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

/// r = b − A y, without a product if `y` is zero.
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
