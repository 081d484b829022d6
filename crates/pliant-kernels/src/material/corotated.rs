//! The corotated linear law.

use crate::material::{Isotropic, Law, LawFamily, LawKind, Principal, Term, hessian};
use crate::math::{Lane, Mat3, Svd, Vec3, polar_rotation, svd};

/// Hooke's law in a frame that rotates with the material.
///
/// ```text
/// ψ(F) = μ ‖F − R‖² + λ/2 tr(RᵀF − I)²        R the rotation nearest to F
/// P(F) = 2μ (F − R) + λ tr(RᵀF − I) R
/// ```
///
/// - `μ`, `λ` Lamé's moduli, in Pa
///
/// R = U Vᵀ of the signed singular values ([`crate::math::Svd`]), so that an inverted cell recovers along its
/// thinnest direction. The price: where two singular values sum to zero (inverted states between two thinnest
/// directions) R jumps; ψ stays continuous, P does not. The differential is exact (dR included) everywhere else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corotated<R = f64> {
    /// Shear modulus μ, in Pa.
    pub mu: R,
    /// First Lamé parameter λ, in Pa.
    pub lambda: R,
}

impl LawFamily for Corotated {
    const KIND: LawKind = LawKind::Corotated;
    type Law<R: Lane> = Corotated<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> Corotated<R> {
        Corotated { mu, lambda }
    }
}

/// Lower bound of the sum of two singular values that a twist is divided by. Sums are of the order of 1 and vanish
/// only where R jumps; there a large finite number replaces the infinite stiffness of the jump.
const MIN_SUM: f64 = 1e-9;

impl<R: Lane> Law<R> for Corotated<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        self.energy_and_stress(f).0
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        self.energy_and_stress(f).1
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        let rotation = polar_rotation(f);
        let difference = *f - rotation;
        let trace = rotation.ddot(&difference);
        let energy = self.mu * difference.norm_squared() + self.lambda * trace * trace * 0.5;
        (energy, difference * (self.mu * 2.0) + rotation * (self.lambda * trace))
    }

    /// ψ̃_A = 2 ‖F − R‖² and ψ̃_B = tr(RᵀF − I)².
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let rotation = polar_rotation(f);
        let difference = *f - rotation;
        let energy = difference.fused_ddot(&difference) * 2.0;
        let shape = Term { energy, stress: difference * self.mu.like(4.0) };
        [shape, Term::square(rotation.fused_ddot(&difference), rotation)]
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        let frame = svd(f);
        self.principal(&frame.sigma).stress_differential(&frame, df)
    }

    #[inline(always)]
    fn stiffness(&self, f: &Mat3<R>) -> [[R; 9]; 9] {
        let frame = svd(f);
        hessian::by_singular_values(&frame, &self.principal(&frame.sigma))
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

impl<R: Lane> Isotropic<R> for Corotated<R> {
    /// ```text
    /// ∂²ψ/∂σᵢ∂σⱼ = 2μ δᵢⱼ + λ        t = Σ (σ − 1)
    /// twist = 2μ + 2 (λ t − 2μ)/(σᵢ + σⱼ)        flip = 2μ
    /// ```
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Principal<R> {
        let [x, y, z] = *sigma;
        let mu2 = self.mu * 2.0;
        let jump = (self.lambda * (x + y + z - 3.0) - mu2) * 2.0;
        let least = x.like(MIN_SUM);
        let twist = |sum: R| mu2 + jump / sum.max(least);
        Principal {
            hessian: Mat3([Vec3([self.lambda; 3]); 3]).add_diagonal(mu2),
            twist: [twist(y + z), twist(z + x), twist(x + y)],
            flip: [mu2; 3],
        }
    }
}
