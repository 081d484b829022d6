//! The stable neo-Hookean law of Smith, de Goes and Kim.

use crate::material::from_rest::FromRest;
use crate::material::rest_stable::shared_dilation;
use crate::material::{Isotropic, Lame, Law, LawFamily, LawKind, Principal, Term, hessian};
use crate::math::{Lane, Mat3, Svd, Vec3};

/// Stable neo-Hookean flesh.
///
/// ```text
/// ψ(F) = μ/2 (I₂ − 3) + λ/2 (J − α)² − μ/2 ln(I₂ + 1) − ψ₀        α = 1 + 3μ/(4λ)
/// P(F) = μ (1 − 1/(I₂ + 1)) F + λ (J − α) cof F
/// ```
///
/// - `I₂` = ‖F‖² (their I_C), `J` = det F; `μ`, `λ` constants of the formula, in Pa
/// - `ψ₀` = 9μ²/(32λ) − μ/2 ln 4, so that the energy at rest is zero; theirs is ψ₀ there
///
/// Smith et al. 2018, eq. 14. The logarithm makes a cell that is collapsed to a point recover in a definite
/// direction. In the code the terms are expanded and regrouped, so that none is large at rest and λ = 0 is allowed:
///
/// ```text
/// ψ(F) = 3μ/8 (I₂ − 2J − 1) + λ/2 (J − 1)² + μ/2 (x − ln(1 + x))        x = (I₂ − 3)/4
/// P(F) = 3μ/4 (F − cof F) + λ (J − 1) cof F + μ/4 · x/(1 + x) F
/// ```
///
/// Near rest P ≈ 3/2 μ ε + (λ − 5/8 μ) tr(ε) I. With 4/3 μ and λ + 5/6 μ in place of μ and λ the
/// small-strain limit is Hooke's law (their own reparametrisation):
/// [`crate::material::Parameters::Corrected`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smith<R = f64> {
    /// μ of the formula, in Pa.
    pub mu: R,
    /// λ of the formula, in Pa.
    pub lambda: R,
}

impl LawFamily for Smith {
    const KIND: LawKind = LawKind::Smith;
    type Law<R: Lane> = Smith<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> Smith<R> {
        Smith { mu, lambda }
    }

    fn small_strain(constants: Lame) -> Lame {
        let Lame { mu, lambda } = constants;
        Lame { mu: 0.75 * mu, lambda: lambda - 0.625 * mu }
    }

    fn constants(moduli: Lame) -> Lame {
        let Lame { mu, lambda } = moduli;
        Lame { mu: mu * (4.0 / 3.0), lambda: lambda + mu * (5.0 / 6.0) }
    }
}

impl<R: Lane> Smith<R> {
    #[inline(always)]
    fn energy_from(&self, rest: &FromRest<R>) -> R {
        let dilation = rest.dilation();
        let x = rest.stretch() * 0.25;
        let shape = rest.distortion() * 0.75 + (x - ln_1p(x));
        (self.mu * shape + self.lambda * dilation * dilation) * 0.5
    }

    #[inline(always)]
    fn stress_from(&self, f: &Mat3<R>, rest: &FromRest<R>) -> Mat3<R> {
        let x = rest.stretch() * 0.25;
        let radial = self.mu * (x / (x + 1.0)) * 0.25;
        rest.imbalance() * (self.mu * 0.75)
            + rest.cofactor() * (self.lambda * rest.dilation())
            + *f * radial
    }
}

impl<R: Lane> Law<R> for Smith<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        self.energy_from(&FromRest::new(f))
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        self.stress_from(f, &FromRest::new(f))
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        let rest = FromRest::new(f);
        (self.energy_from(&rest), self.stress_from(f, &rest))
    }

    /// ```text
    /// ψ̃_A = ¾ (I₂ − 2J − 1 + t (J − 1)²) + x − ln(1 + x)        ψ̃_B = (1 − ¾ t μ/λ) (J − 1)²
    /// ```
    ///
    /// with t = min(1, 4λ/(3μ)): both are stress-free at rest, and for t = 1 neither is ever negative.
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let rest = FromRest::fused(f);
        let x = rest.stretch() * 0.25;
        let volume = Term::square(rest.dilation(), rest.cofactor());
        let [share, left] = shared_dilation(self.mu * 0.75, self.lambda);
        let shape = Term {
            energy: (rest.distortion() + volume.energy * share) * 0.75 + (x - ln_1p(x)),
            stress: (rest.imbalance() * x.like(1.5))
                .add_scaled(&volume.stress, share * 0.75)
                .add_scaled(f, x / (x + 1.0) * 0.5),
        };
        [shape, Term { energy: volume.energy * left, stress: volume.stress * left }]
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        let rest = FromRest::new(f);
        let cofactor = rest.cofactor();
        let s = self.mu.one() / (f.norm_squared() + 1.0);
        let radial = self.mu * s * s * f.ddot(df) * 2.0;
        let pressure = self.lambda * rest.dilation() - self.mu * 0.75;
        *df * (self.mu * (s.one() - s))
            + *f * radial
            + cofactor * (self.lambda * cofactor.ddot(df))
            + f.cofactor_differential(df) * pressure
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

impl<R: Lane> Isotropic<R> for Smith<R> {
    /// The derivative of P = a F + q cof F with a = μ (1 − s), s = 1/(I₂ + 1); the change of a adds 2μ s² σᵢσⱼ to the
    /// block.
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Principal<R> {
        let [x, y, z] = *sigma;
        let s = x.one() / (x * x + y * y + z * z + 1.0);
        let pressure = self.lambda * (x * y * z - 1.0) - self.mu * 0.75;
        let mut principal =
            Principal::neo_hookean(sigma, self.mu * (s.one() - s), pressure, self.lambda);
        let radial = self.mu * s * s * 2.0;
        let direction = Vec3(*sigma);
        principal.hessian += Mat3::outer(direction, direction * radial);
        principal
    }
}

/// ln(1 + x), accurate for small x (Goldberg 1991, theorem 4): the factor x/(u − 1) corrects the rounding of u = 1 +
/// x.
#[inline(always)]
fn ln_1p<R: Lane>(x: R) -> R {
    let u = x + 1.0;
    let rounded = u - 1.0;
    let zero = x.zero();
    let denominator = zero.if_less(rounded.abs(), rounded, x.one());
    zero.if_less(rounded.abs(), u.ln() * (x / denominator), x)
}
