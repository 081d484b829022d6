//! The split of a law into terms with one stiffness each.

use crate::math::{Lane, Mat3};

/// One term of an energy, without its stiffness.
///
/// ```text
/// ψ(F) = μ/2 ψ̃_A(F) + λ/2 ψ̃_B(F) + const        P̃ = ∂ψ̃/∂F
/// ```
///
/// Saillant et al. 2024, eq. 20 and Table 2. Position-based solvers make one constraint of each term,
/// since a constraint has a single compliance.
#[derive(Debug, Clone, Copy)]
pub struct Term<R = f64> {
    /// ψ̃(F), dimensionless. The constraint uses its absolute value, since it may be negative far from rest.
    pub energy: R,
    /// P̃(F), dimensionless.
    pub stress: Mat3<R>,
}

impl<R: Lane> Term<R> {
    /// The term s² of a scalar s(F) with derivative ∂s/∂F.
    #[inline(always)]
    pub(super) fn square(scalar: R, gradient: Mat3<R>) -> Self {
        Self { energy: scalar * scalar, stress: gradient * (scalar * 2.0) }
    }
}
