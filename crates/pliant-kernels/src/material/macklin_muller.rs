//! The neo-Hookean law of Macklin and Müller.

use crate::material::{
    Isotropic, Lame, Law, LawFamily, LawKind, Principal, RestStable, Term, hessian,
};
use crate::math::{Lane, Mat3, Svd};

/// Neo-Hookean solid whose volume term pulls toward γ, a little more than the volume at rest.
///
/// ```text
/// ψ(F) = μ/2 (I₂ − 3) + λ/2 (J − γ)² − μ²/(2λ)        γ = 1 + μ/λ
/// P(F) = μ F + λ (J − γ) cof F                        I₂ = ‖F‖²,  J = det F
/// ```
///
/// - `μ`, `λ` constants of the formula, in Pa
///
/// Macklin & Müller 2021; Saillant et al. 2024, eq. 18. The published energy is μ²/(2λ) at rest
/// ([`MacklinMuller::published_rest_energy`]); that constant is subtracted here, so that a body at
/// rest has no energy. Forces are as published.
///
/// Expanded, it equals [`RestStable`] and is computed as such, which is also defined for λ = 0, where γ is not. The
/// two laws differ in the split into constraints: here neither the shape term nor the volume term is stress-free at
/// rest. They only balance, and a solver that treats them one after the other keeps pulling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MacklinMuller<R = f64> {
    /// μ of the formula, in Pa.
    pub mu: R,
    /// λ of the formula, in Pa.
    pub lambda: R,
}

impl LawFamily for MacklinMuller {
    const KIND: LawKind = LawKind::MacklinMuller;
    type Law<R: Lane> = MacklinMuller<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> MacklinMuller<R> {
        MacklinMuller { mu, lambda }
    }

    fn small_strain(constants: Lame) -> Lame {
        RestStable::small_strain(constants)
    }

    fn constants(moduli: Lame) -> Lame {
        RestStable::constants(moduli)
    }
}

impl<R: Lane> MacklinMuller<R> {
    /// Returns γ = 1 + μ/λ, the volume ratio at which the volume term vanishes; infinite for λ = 0.
    #[inline(always)]
    pub fn gamma(&self) -> R {
        self.mu / self.lambda + 1.0
    }

    /// Returns μ²/(2λ), in J/m³: the published energy at rest, which [`Law::energy`] subtracts.
    #[inline(always)]
    pub fn published_rest_energy(&self) -> R {
        self.mu * self.mu / (self.lambda * 2.0)
    }

    /// The same function of F, expanded.
    #[inline(always)]
    fn expanded(&self) -> RestStable<R> {
        RestStable { mu: self.mu, lambda: self.lambda }
    }
}

impl<R: Lane> Law<R> for MacklinMuller<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        self.expanded().energy(f)
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        self.expanded().stress(f)
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        self.expanded().energy_and_stress(f)
    }

    /// ψ̃_A = I₂ and ψ̃_B = (J − γ)²: both have a stress at rest, of opposite sign. The published term is I₂ − 3,
    /// which can be negative; shifted by 3 it cannot, and its stress is the same (Saillant et al. 2024, section 4.1).
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let shape = Term { energy: f.fused_ddot(f), stress: *f * self.mu.like(2.0) };
        let cofactor = f.fused_cofactor();
        [shape, Term::square(f.0[0].fused_dot(cofactor.0[0]) - self.gamma(), cofactor)]
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        self.expanded().stress_differential(f, df)
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

impl<R: Lane> Isotropic<R> for MacklinMuller<R> {
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Principal<R> {
        self.expanded().principal(sigma)
    }
}
