//! Chebyshev smoothing.

use pliant_kernels::single_rows::{Single, SingleRows};

use crate::solver::linear::vectors::for_chunks;

use super::uneven::uneven;

/// Ratio of the largest eigenvalue to the smallest one that is smoothed: the lowest tenth of the spectrum is left to
/// the next level.
const SHARE: f64 = 10.0;

/// Steps of the power iteration for the largest eigenvalue.
const POWER_STEPS: usize = 12;

/// Safety factor of the estimated largest eigenvalue.
const MARGIN: f64 = 1.1;

/// Damps the upper part of the spectrum of a matrix with a unit diagonal by a polynomial of fixed degree: a symmetric linear operator.
#[derive(Debug, Clone)]
pub(super) struct Chebyshev {
    /// The factors of each step: of the last change of z, and of the residual.
    factors: Vec<[f32; 2]>,
}

impl Chebyshev {
    /// A smoother of this degree. It can be used after [`Chebyshev::fit`].
    pub(super) fn new(degree: usize) -> Self {
        Self { factors: vec![[0.0; 2]; degree] }
    }

    /// Estimates the largest eigenvalue of a matrix; overwrites the buffers.
    pub(super) fn fit(&mut self, rows: &SingleRows, [z, b, product]: [&mut [Single]; 3]) {
        b.fill([0.0; 4]);
        for (k, z) in z.iter_mut().enumerate() {
            let [x, y, w] = uneven(k).to_array();
            *z = [x as f32, y as f32, w as f32, 0.0];
        }
        let mut top = 1.0;
        for _ in 0..POWER_STEPS {
            residual(rows, z, b, product);
            top = product.as_flattened().iter().map(|k| f64::from(*k).powi(2)).sum::<f64>().sqrt();
            let scale = -top.max(f64::MIN_POSITIVE).recip() as f32;
            z.iter_mut().zip(product.iter()).for_each(|(z, p)| *z = p.map(|k| scale * k));
        }
        self.set(MARGIN * top);
    }

    /// The factors for a largest eigenvalue.
    fn set(&mut self, top: f64) {
        let (centre, half) = (0.5 * top * (1.0 + 1.0 / SHARE), 0.5 * top * (1.0 - 1.0 / SHARE));
        let sigma = centre / half;
        let mut rho = 1.0 / sigma;
        for (step, factors) in self.factors.iter_mut().enumerate() {
            *factors = [0.0, (1.0 / centre) as f32];
            if step > 0 {
                let next = 1.0 / (2.0 * sigma - rho);
                *factors = [(next * rho) as f32, (2.0 * next / half) as f32];
                rho = next;
            }
        }
    }

    /// The factor of b in the first step from zero, which needs no product; the other steps are
    /// [`Chebyshev::go_on`].
    pub(super) fn first(&self) -> f32 {
        self.factors[0][1]
    }

    /// Takes the steps after the first one from zero: z is the result of that, and `before` is zero.
    pub(super) fn go_on(
        &self,
        rows: &SingleRows,
        b: &[Single],
        z: &mut Vec<Single>,
        before: &mut Vec<Single>,
    ) {
        self.factors[1..].iter().for_each(|factors| step(rows, *factors, b, z, before));
    }

    /// Smooths z, for the solution of A z = b.
    pub(super) fn smooth(
        &self,
        rows: &SingleRows,
        b: &[Single],
        z: &mut Vec<Single>,
        before: &mut Vec<Single>,
    ) {
        self.factors.iter().for_each(|factors| step(rows, *factors, b, z, before));
    }
}

/// One step; z becomes `before`, and the other way round.
fn step(
    rows: &SingleRows,
    factors: [f32; 2],
    b: &[Single],
    z: &mut Vec<Single>,
    before: &mut Vec<Single>,
) {
    for_chunks(before, |first, before| rows.step(first, factors, z, &b[first..], before));
    std::mem::swap(z, before);
}

/// Writes b − A z.
pub(super) fn residual(rows: &SingleRows, z: &[Single], b: &[Single], residual: &mut [Single]) {
    for_chunks(residual, |first, residual| rows.residual(first, z, &b[first..], residual));
}
