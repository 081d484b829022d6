//! What every law offers.

use std::fmt::Debug;

use crate::material::{Lame, LawKind, Principal, Term, hessian};
use crate::math::{Lane, Mat3, Svd};

/// A hyperelastic law: an energy density ψ(F) and its first two derivatives.
///
/// The constants share the lanes of the kernel, so that a pack of cells can hold a different
/// material in every lane. Nothing here branches, and nothing panics: for an F that is not
/// finite the results are not finite either. `tests/kernels/laws.rs` holds every law to its derivatives,
/// its symmetries and its small-strain limit.
pub trait Law<R: Lane>: Copy + Debug {
    /// Energy density ψ(F), in J/m³; zero at rest, F = I.
    fn energy(&self, f: &Mat3<R>) -> R;

    /// First Piola–Kirchhoff stress P = ∂ψ/∂F, in Pa.
    fn stress(&self, f: &Mat3<R>) -> Mat3<R>;

    /// Energy density and stress together, sharing what they have in common.
    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        (self.energy(f), self.stress(f))
    }

    /// The terms of the energy that have a stiffness of their own: first μ, then λ.
    ///
    /// ```text
    /// ψ = μ/2 ψ̃_A + λ/2 ψ̃_B + const        P = μ/2 P̃_A + λ/2 P̃_B
    /// ```
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2];

    /// Change of stress dP = ∂P/∂F : dF, in Pa.
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R>;

    /// ∂P/∂F, exact: in Pa, symmetric, and indefinite where a pressed state could buckle.
    ///
    /// Row r and column c stand for entry (i, j) of P and F with r = i + 3j: both are read column by
    /// column. Assembled with shape gradients g the block of nodes a and b is
    ///
    /// ```text
    /// (K_ab)ᵢₖ = Σⱼₗ g_aⱼ K[i + 3j][k + 3l] g_bₗ
    /// ```
    #[inline(always)]
    fn stiffness(&self, f: &Mat3<R>) -> [[R; 9]; 9] {
        hessian::by_differentials(self, f)
    }

    /// The positive semi-definite matrix nearest to [`Law::stiffness`]: its negative eigenvalues are
    /// zero. With it every Newton step goes downhill.
    fn stiffness_psd(&self, f: &Mat3<R>) -> [[R; 9]; 9];

    /// ∂P/∂F in a frame: that of `frame`, the decomposition of F, or another that replaces it.
    ///
    /// So a kernel shares the decomposition among all laws, and leaves no more than this to each.
    fn principal_in(&self, frame: &mut Svd<R>) -> Principal<R>;
}

/// A law that depends on F by its singular values alone: every one here but
/// [`crate::material::Linear`].
pub trait Isotropic<R: Lane>: Law<R> {
    /// ∂P/∂F in the frame of the singular values `sigma` of F.
    fn principal(&self, sigma: &[R; 3]) -> Principal<R>;
}

/// A law before its lanes and constants are chosen: the type parameter of a kernel.
///
/// It is implemented by the plain form of each law, so that `kernel::<RestStable, …>` reads as it
/// should, and inside the kernel `F::law(mu, lambda)` makes the law in the kernel's own width.
pub trait LawFamily: Copy + Debug + Send + Sync + 'static {
    /// The name of the law at run time.
    const KIND: LawKind;

    /// The law in lanes of `R`.
    type Law<R: Lane>: Law<R>;

    /// The law with these constants, as they stand in its formula; see [`Lame`] and
    /// [`crate::material::Material::constants`].
    fn law<R: Lane>(mu: R, lambda: R) -> Self::Law<R>;

    /// The Lamé moduli of Hooke's law that this law approaches at small strain, when `constants`
    /// stand in its formula.
    #[inline]
    fn small_strain(constants: Lame) -> Lame {
        constants
    }

    /// The constants for its formula that make `moduli` the small-strain limit: the inverse of
    /// [`LawFamily::small_strain`].
    #[inline]
    fn constants(moduli: Lame) -> Lame {
        moduli
    }
}

/// Code that is to be compiled once for each law; see [`LawKind::visit`].
pub trait LawVisitor {
    /// What it returns.
    type Output;

    /// Runs it for the law `F`. In a kernel that runs under run-time dispatch mark it
    /// `#[inline(always)]`, so that it is compiled with the instructions chosen outside.
    fn visit<F: LawFamily>(self) -> Self::Output;
}
