//! Hooke's law.

use crate::material::{Law, LawFamily, LawKind, Principal, Term};
use crate::math::{Lane, Mat3, Svd, Vec3};

/// Hooke's law for small strain and small rotation.
///
/// ```text
/// ψ(F) = μ ‖ε‖² + λ/2 tr(ε)²        ε = (F + Fᵀ)/2 − I
/// P(F) = 2μ ε + λ tr(ε) I
/// ```
///
/// - `ε` the small strain; `μ`, `λ` Lamé's moduli, in Pa
///
/// It is **not frame invariant**: ε ≠ 0 for a rotation, so a body that rotates by an angle θ swells by about θ²/2.
/// Use it for reference solutions and for bodies that hardly rotate, else [`crate::material::Corotated`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linear<R = f64> {
    /// Shear modulus μ, in Pa.
    pub mu: R,
    /// First Lamé parameter λ, in Pa.
    pub lambda: R,
}

impl LawFamily for Linear {
    const KIND: LawKind = LawKind::Linear;
    type Law<R: Lane> = Linear<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> Linear<R> {
        Linear { mu, lambda }
    }
}

impl<R: Lane> Linear<R> {
    /// Energy density of the strain ε.
    #[inline(always)]
    fn strain_energy(&self, strain: &Mat3<R>) -> R {
        let trace = strain.trace();
        self.mu * strain.norm_squared() + self.lambda * trace * trace * 0.5
    }

    /// Hooke's stress of the strain ε.
    #[inline(always)]
    fn strain_stress(&self, strain: &Mat3<R>) -> Mat3<R> {
        (*strain * (self.mu * 2.0)).add_diagonal(self.lambda * strain.trace())
    }

    /// ε = (F + Fᵀ)/2 − I.
    #[inline(always)]
    fn strain(&self, f: &Mat3<R>) -> Mat3<R> {
        f.symmetric().add_diagonal(self.mu.like(-1.0))
    }
}

impl<R: Lane> Law<R> for Linear<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        self.strain_energy(&self.strain(f))
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        self.strain_stress(&self.strain(f))
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        let strain = self.strain(f);
        (self.strain_energy(&strain), self.strain_stress(&strain))
    }

    /// ψ̃_A = 2 ‖ε‖² and ψ̃_B = tr(ε)².
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let strain = self.strain(f);
        let energy = strain.fused_ddot(&strain) * 2.0;
        let shape = Term { energy, stress: strain * self.mu.like(4.0) };
        [shape, Term::square(strain.trace(), Mat3::diagonal([self.mu.one(); 3]))]
    }

    #[inline(always)]
    fn stress_differential(&self, _f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        self.strain_stress(&df.symmetric())
    }

    /// The exact stiffness, which is already positive semi-definite.
    #[inline(always)]
    fn stiffness_psd(&self, f: &Mat3<R>) -> [[R; 9]; 9] {
        self.stiffness(f)
    }

    /// The frame is that of the rest state, not of F. Twists are small rotations, which have zero stiffness.
    #[inline(always)]
    fn principal_in(&self, frame: &mut Svd<R>) -> Principal<R> {
        let (zero, mu2) = (self.mu.zero(), self.mu * 2.0);
        let unit = Mat3::diagonal([self.mu.one(); 3]);
        *frame = Svd { u: unit, v: unit, ..*frame };
        let hessian = Mat3([Vec3([self.lambda; 3]); 3]).add_diagonal(mu2);
        Principal { hessian, twist: [zero; 3], flip: [mu2; 3] }
    }
}
