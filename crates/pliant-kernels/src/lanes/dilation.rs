//! Pointwise or mean dilation of a cell.

use crate::material::{Lame, LawFamily, LawKind, LawVisitor};
use crate::math::Lane;

/// The evaluation of the volumetric energy λ/2 (J − 1)² in a cell.
///
/// ```text
/// pointwise   Σ V λ/2 (J − 1)²
/// mean        V̂ λ/2 (Ĵ − 1)² + Σ V λ₀/2 (J − Ĵ)²        Ĵ = Σ V J / V̂,  V̂ = Σ V,  λ₀ = min(λ, 4μ)
/// ```
///
/// Pointwise, a nearly incompressible cell has one volume constraint per quadrature point, more than it has degrees
/// of freedom for: it locks. In the mean, only the volume of the whole cell has the stiffness λ (Nagtegaal, Parks & Rice 1974; Simo,
/// Taylor & Pister 1985); differences within the cell have that of a material with Poisson's ratio 0.4, which is far from locking. Without
/// this second term, cells of degree two and three would have shapes that nothing resists.
///
/// With μ and λ as Lamé's moduli. Up to Poisson's ratio 0.4, and for cells with one point, both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dilation {
    /// At every quadrature point, as in the papers.
    Pointwise,
    /// For the cell as a whole: only for the neo-Hookean laws, whose energy has that term.
    Mean,
}

/// λ₀/μ: Poisson's ratio 0.4, by λ/μ = 2ν/(1 − 2ν), and a little more, so that rounding at 0.4 itself does not count.
const LARGEST_RATIO: f64 = 4.0 + 1e-6;

impl Dilation {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Pointwise, Self::Mean];

    /// Returns the name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Mean => "mean",
        }
    }

    /// Returns true if a law supports this choice.
    pub const fn suits(self, law: LawKind) -> bool {
        match self {
            Self::Pointwise => true,
            Self::Mean => {
                matches!(law, LawKind::MacklinMuller | LawKind::RestStable | LawKind::Smith)
            }
        }
    }

    /// Returns λ − λ₀, the stiffness that only the mean has, for the constants μ and λ of the formula of a law; zero for pointwise dilation.
    #[inline(always)]
    pub fn of_mean_only<R: Lane>(self, law: LawKind, mu: R, lambda: R) -> R {
        let zero = mu.zero();
        match self {
            Self::Pointwise => zero,
            Self::Mean => (lambda - mu * law.visit(Limit)).max(zero),
        }
    }
}

/// λ/μ of the formula of a law at [`LARGEST_RATIO`]: the small-strain limit of constants (μ, λ) is (a μ, λ + b μ).
struct Limit;

impl LawVisitor for Limit {
    type Output = f64;

    #[inline(always)]
    fn visit<F: LawFamily>(self) -> f64 {
        let Lame { mu, lambda } = F::small_strain(Lame { mu: 1.0, lambda: 0.0 });
        LARGEST_RATIO * mu - lambda
    }
}
