//! The St. Venant–Kirchhoff law.

use crate::material::{Law, LawFamily, LawKind, Principal};
use crate::math::{Lane, Mat3};

/// Hooke's law between the Green strain and the second Piola–Kirchhoff stress.
///
/// ```text
/// ψ(F) = μ ‖E‖² + λ/2 tr(E)²        E = (FᵀF − I)/2
/// P(F) = F S                        S = 2μ E + λ tr(E) I
/// ```
///
/// - `E` Green strain, `S` second Piola–Kirchhoff stress; `μ`, `λ` Lamé's moduli, in Pa
///
/// Saillant et al. 2024, eq. 3 and 7. It softens under compression: a bar pressed below 1/√3 of
/// its length gives way, and a flat or inverted cell feels a weak push back, or none. With ν near
/// 1/2 or strong compression take a neo-Hookean law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StVenantKirchhoff<R = f64> {
    /// Shear modulus μ, in Pa.
    pub mu: R,
    /// First Lamé parameter λ, in Pa.
    pub lambda: R,
}

impl LawFamily for StVenantKirchhoff {
    const KIND: LawKind = LawKind::StVenantKirchhoff;
    type Law<R: Lane> = StVenantKirchhoff<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> StVenantKirchhoff<R> {
        StVenantKirchhoff { mu, lambda }
    }
}

impl<R: Lane> StVenantKirchhoff<R> {
    /// Green strain, from G = F − I as sym(G) + GᵀG/2, which keeps the digits of a small strain.
    #[inline(always)]
    fn strain(&self, f: &Mat3<R>) -> Mat3<R> {
        let g = f.add_diagonal(self.mu.like(-1.0));
        let half = self.mu.like(0.5);
        g.symmetric() + g.transpose() * g * half
    }

    /// S of the strain E; linear, so it serves for differentials too.
    #[inline(always)]
    fn second_stress(&self, strain: &Mat3<R>) -> Mat3<R> {
        (*strain * (self.mu * 2.0)).add_diagonal(self.lambda * strain.trace())
    }
}

impl<R: Lane> Law<R> for StVenantKirchhoff<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        let strain = self.strain(f);
        let trace = strain.trace();
        self.mu * strain.norm_squared() + self.lambda * trace * trace * 0.5
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        *f * self.second_stress(&self.strain(f))
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        let strain = self.strain(f);
        let second = self.second_stress(&strain);
        (strain.ddot(&second) * 0.5, *f * second)
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        let dstrain = (f.transpose() * *df).symmetric();
        *df * self.second_stress(&self.strain(f)) + *f * self.second_stress(&dstrain)
    }

    /// ```text
    /// ∂²ψ/∂σᵢ∂σⱼ = δᵢⱼ (μ (3σᵢ² − 1) + λ t) + λ σᵢσⱼ        t = tr E = Σ (σ² − 1)/2
    /// twist, flip = μ (σᵢ² ∓ σᵢσⱼ + σⱼ² − 1) + λ t
    /// ```
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Option<Principal<R>> {
        let Self { mu, lambda } = *self;
        let square = sigma.map(|s| s * s);
        let pressure = lambda * (square[0] + square[1] + square[2] - 3.0) * 0.5;
        let pair = |k: usize, sign: f64| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            mu * (square[i] + sigma[i] * sigma[j] * sign + square[j] - 1.0) + pressure
        };
        let mut hessian = Mat3::from_fn(|i, j| lambda * sigma[i] * sigma[j]);
        for (i, square) in square.into_iter().enumerate() {
            hessian.0[i].0[i] += mu * (square * 3.0 - 1.0) + pressure;
        }
        Some(Principal {
            hessian,
            twist: std::array::from_fn(|k| pair(k, -1.0)),
            flip: std::array::from_fn(|k| pair(k, 1.0)),
        })
    }
}
