//! The interface of material laws.

use std::fmt::Debug;

use crate::material::{Lame, LawKind, Principal, Simplex, SimplexTerm, Term, hessian};
use crate::math::{Lane, Mat3, Svd};

/// A hyperelastic law: an energy density ψ(F) and its first two derivatives.
///
/// The constants share the lanes of the kernel, so that a pack of cells can hold a different
/// material in every lane. Laws do not branch or panic: for an F that is not
/// finite the results are not finite either. `tests/kernels/laws.rs` checks the derivatives,
/// symmetries and small-strain limit of every law.
pub trait Law<R: Lane>: Copy + Debug {
    /// Energy density ψ(F), in J/m³; zero at rest, F = I.
    fn energy(&self, f: &Mat3<R>) -> R;

    /// First Piola–Kirchhoff stress P = ∂ψ/∂F, in Pa.
    fn stress(&self, f: &Mat3<R>) -> Mat3<R>;

    /// Energy density and stress together, sharing common work.
    #[inline(always)]
    fn energy_and_stress(&self, f: &Mat3<R>) -> (R, Mat3<R>) {
        (self.energy(f), self.stress(f))
    }

    /// The two terms of the energy, each with its own stiffness: first μ, then λ.
    ///
    /// ```text
    /// ψ = μ/2 ψ̃_A + λ/2 ψ̃_B + const        P = μ/2 P̃_A + λ/2 P̃_B
    /// ```
    fn terms(&self, f: &Mat3<R>) -> [Term<R>; 2];

    /// The two terms on a linear tetrahedron: their integrals, and the gradients of these with respect to its edges.
    #[inline(always)]
    fn simplex_terms(&self, cell: &Simplex<R>) -> [SimplexTerm<R>; 2] {
        cell.integrated(&self.terms(&cell.deformation()))
    }

    /// Stress differential dP = ∂P/∂F : dF, in Pa.
    fn stress_differential(&self, f: &Mat3<R>, df: &Mat3<R>) -> Mat3<R>;

    /// The exact ∂P/∂F, in Pa: symmetric, and indefinite where a compressed state could buckle.
    ///
    /// Row r and column c correspond to entry (i, j) of P and F with r = i + 3j: both are read column by column. With
    /// shape gradients g, the block of nodes a and b is
    ///
    /// ```text
    /// (K_ab)ᵢₖ = Σⱼₗ g_aⱼ K[i + 3j][k + 3l] g_bₗ
    /// ```
    #[inline(always)]
    fn stiffness(&self, f: &Mat3<R>) -> [[R; 9]; 9] {
        hessian::by_differentials(self, f)
    }

    /// The positive semi-definite matrix nearest to [`Law::stiffness`], with negative eigenvalues set to zero. With
    /// it every Newton step is a descent direction.
    fn stiffness_psd(&self, f: &Mat3<R>) -> [[R; 9]; 9];

    /// ∂P/∂F in a principal frame: that of `frame`, the decomposition of F, or another one that replaces it.
    ///
    /// A kernel can thus share the decomposition among all laws; only this function differs between them.
    fn principal_in(&self, frame: &mut Svd<R>) -> Principal<R>;
}

/// A law that depends on F only through its singular values: every law here except [`crate::material::Linear`].
pub trait Isotropic<R: Lane>: Law<R> {
    /// ∂P/∂F in the frame of the singular values `sigma` of F.
    fn principal(&self, sigma: &[R; 3]) -> Principal<R>;
}

/// A law before its lanes and constants are chosen: the type parameter of a kernel.
///
/// It is implemented by the `f64` form of each law, so that a kernel is called as `kernel::<RestStable, …>`; inside
/// the kernel `F::law(mu, lambda)` makes the law in the width of the kernel.
pub trait LawFamily: Copy + Debug + Send + Sync + 'static {
    /// The run-time tag of the law.
    const KIND: LawKind;

    /// The law in lanes of `R`.
    type Law<R: Lane>: Law<R>;

    /// Creates the law with these constants of its formula; see [`Lame`] and
    /// [`crate::material::Material::constants`].
    fn law<R: Lane>(mu: R, lambda: R) -> Self::Law<R>;

    /// Returns the Lamé moduli of Hooke's law that this law approaches at small strain, for these `constants` of its
    /// formula.
    #[inline]
    fn small_strain(constants: Lame) -> Lame {
        constants
    }

    /// Returns the constants of its formula that make `moduli` the small-strain limit: the inverse of
    /// [`LawFamily::small_strain`].
    #[inline]
    fn constants(moduli: Lame) -> Lame {
        moduli
    }
}

/// Code that is to be compiled once for each law; see [`LawKind::visit`].
pub trait LawVisitor {
    /// The result.
    type Output;

    /// Runs the code for the law `F`. In a kernel under run-time dispatch mark it `#[inline(always)]`, so that it is
    /// compiled for the instruction set chosen outside.
    fn visit<F: LawFamily>(self) -> Self::Output;
}
