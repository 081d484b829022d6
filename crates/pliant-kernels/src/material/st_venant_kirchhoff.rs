//! The St. Venant–Kirchhoff law.

use crate::material::principal::difference_and_sum;
use crate::material::{Isotropic, Law, LawFamily, LawKind, Principal, Term, hessian};
use crate::math::{Lane, Mat3, Svd, Vec3};

/// Hooke's law between the Green strain and the second Piola–Kirchhoff stress.
///
/// ```text
/// ψ(F) = μ ‖E‖² + λ/2 tr(E)²        E = (FᵀF − I)/2
/// P(F) = F S                        S = 2μ E + λ tr(E) I
/// ```
///
/// - `E` Green strain, `S` second Piola–Kirchhoff stress; `μ`, `λ` Lamé's moduli, in Pa
///
/// Saillant et al. 2024, eq. 3 and 7. It softens under compression: a bar compressed below 1/√3 of its length
/// collapses, and the restoring force of a flat or inverted cell is weak or zero. For ν near 1/2 or strong
/// compression use a neo-Hookean law.
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

    /// The same by fused multiply-adds.
    #[inline(always)]
    fn fused_strain(&self, f: &Mat3<R>) -> Mat3<R> {
        let g = f.add_diagonal(self.mu.like(-1.0));
        g.symmetric().add_scaled(&g.fused_gram(), self.mu.like(0.5))
    }

    /// S of the strain E; linear, so it is also used for differentials.
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

    /// ψ̃_A = 2 ‖E‖² and ψ̃_B = tr(E)² (Saillant et al. 2024, Table 2, with P̃_A = 4 F E).
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let strain = self.fused_strain(f);
        let energy = strain.fused_ddot(&strain) * 2.0;
        let shape = Term { energy, stress: f.fused_mul(&(strain * self.mu.like(4.0))) };
        [shape, Term::square(strain.trace(), *f)]
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        let dstrain = (f.transpose() * *df).symmetric();
        *df * self.second_stress(&self.strain(f)) + *f * self.second_stress(&dstrain)
    }

    #[inline(always)]
    fn stiffness_psd(&self, f: &Mat3<R>) -> [[R; 9]; 9] {
        hessian::positive(self, f)
    }

    #[inline(always)]
    fn principal_in(&self, frame: &mut Svd<R>) -> Principal<R> {
        self.principal(&frame.sigma)
    }
}

impl<R: Lane> Isotropic<R> for StVenantKirchhoff<R> {
    /// ```text
    /// ∂²ψ/∂σᵢ∂σⱼ = δᵢⱼ (μ (3σᵢ² − 1) + λ t) + λ σᵢσⱼ        t = tr E = Σ (σ² − 1)/2
    /// twist, flip = μ (σᵢ² ∓ σᵢσⱼ + σⱼ² − 1) + λ t
    /// ```
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Principal<R> {
        let Self { mu, lambda } = *self;
        let [x, y, z] = *sigma;
        let [xx, yy, zz] = [x * x, y * y, z * z];
        let pressure = lambda * (xx + yy + zz - 3.0) * 0.5 - mu;
        let sums =
            [mu * (yy + zz) + pressure, mu * (zz + xx) + pressure, mu * (xx + yy) + pressure];
        let products = [mu * y * z, mu * z * x, mu * x * y];
        let own = [mu * xx * 3.0 + pressure, mu * yy * 3.0 + pressure, mu * zz * 3.0 + pressure];
        let direction = Vec3(*sigma);
        let [twist, flip] = difference_and_sum(sums, products);
        let hessian = Mat3::outer(direction, direction * lambda) + Mat3::diagonal(own);
        Principal { hessian, twist, flip }
    }
}
