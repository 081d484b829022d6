//! The rest-stable neo-Hookean law.

use crate::material::from_rest::FromRest;
use crate::material::{
    Isotropic, Lame, Law, LawFamily, LawKind, Principal, Simplex, SimplexTerm, Term, hessian,
};
use crate::math::{Lane, Mat3, Svd};

/// Neo-Hookean solid that stays finite under inversion.
///
/// ```text
/// ψ(F) = μ/2 (I₂ − 2J − 1) + λ/2 (J − 1)²        I₂ = ‖F‖²,  J = det F
/// P(F) = μ (F − cof F) + λ (J − 1) cof F
/// ```
///
/// - `μ`, `λ` constants of the formula, in Pa
/// - `cof F` = ∂J/∂F, the matrix of cofactors
///
/// Saillant et al. 2024, eq. 24 and 25. Each of the two terms is stress-free at rest, so that each
/// makes a constraint that is satisfied at rest.
///
/// Near rest P ≈ 2μ ε + (λ − μ) tr(ε) I. With λ + μ in place of λ the small-strain limit is Hooke's
/// law with Lamé's μ and λ: [`crate::material::Parameters::Corrected`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestStable<R = f64> {
    /// μ of the formula, in Pa.
    pub mu: R,
    /// λ of the formula, in Pa.
    pub lambda: R,
}

impl LawFamily for RestStable {
    const KIND: LawKind = LawKind::RestStable;
    type Law<R: Lane> = RestStable<R>;

    #[inline(always)]
    fn law<R: Lane>(mu: R, lambda: R) -> RestStable<R> {
        RestStable { mu, lambda }
    }

    fn small_strain(constants: Lame) -> Lame {
        Lame { mu: constants.mu, lambda: constants.lambda - constants.mu }
    }

    fn constants(moduli: Lame) -> Lame {
        Lame { mu: moduli.mu, lambda: moduli.lambda + moduli.mu }
    }
}

impl<R: Lane> RestStable<R> {
    #[inline(always)]
    fn energy_from(&self, rest: &FromRest<R>) -> R {
        let dilation = rest.dilation();
        (self.mu * rest.distortion() + self.lambda * dilation * dilation) * 0.5
    }

    #[inline(always)]
    fn stress_from(&self, rest: &FromRest<R>) -> Mat3<R> {
        rest.imbalance() * self.mu + rest.cofactor() * (self.lambda * rest.dilation())
    }
}

impl<R: Lane> Law<R> for RestStable<R> {
    #[inline(always)]
    fn energy(&self, f: &Mat3<R>) -> R {
        self.energy_from(&FromRest::new(f))
    }

    #[inline(always)]
    fn stress(&self, f: &Mat3<R>) -> Mat3<R> {
        self.stress_from(&FromRest::new(f))
    }

    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        let rest = FromRest::new(f);
        (self.energy_from(&rest), self.stress_from(&rest))
    }

    /// ```text
    /// ψ̃_A = I₂ − 2J − 1 + t (J − 1)²        ψ̃_B = (1 − t μ/λ) (J − 1)²        t = min(1, λ/μ)
    /// ```
    ///
    /// Both are stress-free at rest (Saillant et al. 2024, section 4.2). The published choice is t = 0, whose ψ̃_A is
    /// negative under any change of volume, −(2s + 1)(s − 1)² for F = s I: such a constraint drives the cell further
    /// away, in large steps where it is stiff. With t = 1 it is I₂ + J² − 4J, which is never negative.
    #[inline(always)]
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2] {
        let rest = FromRest::fused(f);
        let (dilation, two) = (rest.dilation(), self.mu.like(2.0));
        let [share, left] = shared_dilation(self.mu, self.lambda);
        let (squared, cofactor) = (dilation * dilation, rest.cofactor());
        let shape = Term {
            energy: squared.mul_add(share, rest.distortion()),
            stress: (rest.imbalance() * two).add_scaled(&cofactor, share * dilation * 2.0),
        };
        [shape, Term { energy: squared * left, stress: cofactor * (left * dilation * 2.0) }]
    }

    /// The part with cof F is a multiple of cof D, which has a shorter formula.
    #[inline(always)]
    fn simplex_terms(&self, cell: &Simplex<R>) -> [SimplexTerm<R>; 2] {
        let rest = FromRest::fused(&cell.deformation());
        let (dilation, cofactor) = (rest.dilation(), cell.cofactor());
        let (squared, slope) = (dilation * dilation, dilation * cell.filled * 2.0);
        let [share, left] = shared_dilation(self.mu, self.lambda);
        let imbalance = rest.imbalance().fused_mul(&cell.to_edges(2.0));
        let shape = SimplexTerm {
            energy: squared.mul_add(share, rest.distortion()) * cell.volume,
            gradient: imbalance.add_scaled(&cofactor, share * slope),
        };
        let energy = squared * left * cell.volume;
        [shape, SimplexTerm { energy, gradient: cofactor * (left * slope) }]
    }

    #[inline(always)]
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R> {
        let rest = FromRest::new(f);
        let cofactor = rest.cofactor();
        let dj = cofactor.ddot(df);
        let pressure = self.lambda * rest.dilation() - self.mu;
        *df * self.mu + cofactor * (self.lambda * dj) + f.cofactor_differential(df) * pressure
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

impl<R: Lane> Isotropic<R> for RestStable<R> {
    #[inline(always)]
    fn principal(&self, sigma: &[R; 3]) -> Principal<R> {
        let dilation = sigma[0] * sigma[1] * sigma[2] - 1.0;
        let pressure = self.lambda * dilation - self.mu;
        Principal::neo_hookean(sigma, self.mu, pressure, self.lambda)
    }
}

/// The share t = min(1, λ/μ) of (J − 1)² in the shape term, and the remaining share 1 − t μ/λ in the volume term. One quotient
/// is enough for both: one of the shares is that of the smaller constant, and the other is 1 or 0.
#[inline(always)]
pub(super) fn shared_dilation<R: Lane>(mu: R, lambda: R) -> [R; 2] {
    let (zero, one) = (mu.zero(), mu.one());
    let ratio = mu.min(lambda) / mu.max(lambda);
    let share = zero.if_less(mu, lambda.if_less(mu, ratio, one), zero);
    let left = mu.if_less(lambda, one - ratio, zero);
    [share, zero.if_less(lambda, left, zero)]
}
