//! Chebyshev smoothing.

use glam::DVec3;

use crate::solver::linear::block_rows::BlockRows;
use crate::solver::linear::conjugate_gradient::Operator;
use crate::solver::linear::diagonal::inverse_block;
use crate::solver::linear::vectors::for_chunks;
use pliant_kernels::math::Mat3;

/// Ratio of the largest eigenvalue to the smallest one that is smoothed: the lowest tenth of the spectrum is left to
/// the next level.
const SHARE: f64 = 10.0;

/// Steps of the power iteration for the largest eigenvalue.
const POWER_STEPS: usize = 12;

/// Safety factor of the estimated largest eigenvalue.
const MARGIN: f64 = 1.1;

/// Damps the upper part of the spectrum of D⁻¹A, with D the diagonal blocks of A, by a polynomial of fixed degree: a
/// symmetric linear operator.
#[derive(Debug, Clone)]
pub(super) struct Smoother {
    inverse: Vec<Mat3>,
    top: f64,
    d: Vec<DVec3>,
    q: Vec<DVec3>,
}

impl Smoother {
    pub(super) fn new(size: usize) -> Self {
        let zero = vec![DVec3::ZERO; size];
        Self { inverse: vec![Mat3::IDENTITY; size], top: 1.0, d: zero.clone(), q: zero }
    }

    /// Reads the diagonal of a matrix and estimates its largest eigenvalue.
    pub(super) fn refresh(&mut self, rows: &mut BlockRows) {
        for (unknown, inverse) in self.inverse.iter_mut().enumerate() {
            *inverse = inverse_block(rows.diagonal(unknown));
        }
        let Self { inverse, d, q, .. } = self;
        d.iter_mut().enumerate().for_each(|(k, d)| *d = uneven(k));
        let mut top = 1.0;
        for _ in 0..POWER_STEPS {
            rows.apply(d, q);
            for (d, (inverse, q)) in d.iter_mut().zip(inverse.iter().zip(q.iter())) {
                *d = inverse.mul_vec((*q).into()).into();
            }
            top = d.iter().map(|d| d.length_squared()).sum::<f64>().sqrt();
            d.iter_mut().for_each(|d| *d /= top.max(f64::MIN_POSITIVE));
        }
        self.top = MARGIN * top;
    }

    /// `z += p(D⁻¹A) D⁻¹ r` and `r −= A` times that, with a polynomial p of degree `degree` − 1.
    pub(super) fn smooth(
        &mut self,
        rows: &mut BlockRows,
        degree: u32,
        r: &mut [DVec3],
        z: &mut [DVec3],
    ) {
        let (centre, half) =
            (0.5 * self.top * (1.0 + 1.0 / SHARE), 0.5 * self.top * (1.0 - 1.0 / SHARE));
        let sigma = centre / half;
        let mut rho = 1.0 / sigma;
        let Self { inverse, d, q, .. } = self;
        for step in 0..degree {
            let (keep, take) = if step == 0 {
                (0.0, 1.0 / centre)
            } else {
                let next = 1.0 / (2.0 * sigma - rho);
                let factors = (next * rho, 2.0 * next / half);
                rho = next;
                factors
            };
            for_chunks(d, |first, d| {
                let terms = inverse[first..].iter().zip(&r[first..]);
                for (d, (inverse, r)) in d.iter_mut().zip(terms) {
                    let scaled: DVec3 = inverse.mul_vec((*r).into()).into();
                    *d = keep * *d + take * scaled;
                }
            });
            rows.apply(d, q);
            for_chunks(z, |first, z| z.iter_mut().zip(&d[first..]).for_each(|(z, d)| *z += *d));
            for_chunks(r, |first, r| r.iter_mut().zip(&q[first..]).for_each(|(r, q)| *r -= *q));
        }
    }
}

/// A vector with a component in every mode, the same on every machine.
pub(super) fn uneven(k: usize) -> DVec3 {
    let mix = |j: usize| {
        let hash = ((3 * k + j) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash ^ (hash >> 29)) >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    DVec3::new(mix(0), mix(1), mix(2))
}
