//! Solution of the two constraints of a cell, one after the other or together.

use crate::math::Lane;

/// The way the two constraints of a cell are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Projection {
    /// The shape constraint first, then the volume constraint at the resulting positions, as published.
    Separate,
    /// Both at once, from one evaluation: two equations in two unknowns.
    #[default]
    Together,
}

impl Projection {
    /// Both choices.
    pub const ALL: [Self; 2] = [Self::Separate, Self::Together];

    /// Returns the name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Separate => "separate",
            Self::Together => "together",
        }
    }

    /// Returns the constraints solved in each pass.
    #[inline(always)]
    pub(super) const fn passes(self) -> [[bool; 2]; 2] {
        match self {
            Self::Separate => [[true, false], [false, true]],
            // The second pass is for cells far from rest.
            Self::Together => [[true, true], [false, true]],
        }
    }
}

/// Squared strain below which a constraint is satisfied to rounding and is skipped.
const SATISFIED_STRAIN: f64 = 1e-30;

/// Regularisation of a joint solve: the fraction of a constraint's own g M⁻¹ g that is added to it. In a cell far
/// from rest both gradients may be nearly parallel and demand different steps along one line; the exact solution is
/// then a large jump across that line. With this term it is at most half again as long as the step of one constraint
/// alone.
const REGULARISATION: f64 = 1e-3;

/// The data of one constraint C = √|S|, S = Σ V ψ̃, with g = ∂S/∂x.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConstraintData<R> {
    /// |S|, in m³.
    pub(super) size: R,
    /// Stiffness times the square of the substep, k h², in Pa·s².
    pub(super) stiffness: R,
    /// Multiplier so far.
    pub(super) lambda: R,
    /// 2Cλ.
    pub(super) held: R,
    /// g · (x − x₀): the motion of the substep along the gradient; zero without damping.
    pub(super) moved: R,
}

/// Finds y such that the displacement M⁻¹ (g_A y_A + g_B y_B) satisfies both constraints to first order.
///
/// With ∇C = g/(2C) and Δλ = 2C y, the equation of each constraint, damped by c = b/h,
///
/// ```text
/// C + α̃ (λ + Δλ) + c ∇C·(x − x₀) + (1 + c) ∇C M⁻¹ Σ ∇Cᵀ Δλ = 0
/// ```
///
/// multiplied by 2C k h² becomes linear in y, without a root or a quotient that vanishes at rest:
///
/// ```text
/// (4S + (1 + c) k h² g M⁻¹ g) y + (1 + c) k h² g M⁻¹ g′ y′ = −k h² (2S + c g·(x − x₀)) − 2C λ
/// ```
///
/// Macklin et al. 2016, eq. 26; Saillant et al. 2024, eq. 16, 17 and 23. `products` are g M⁻¹ g of A with A, A with B
/// and B with B.
#[inline(always)]
pub(super) fn solve<R: Lane>(
    [a, b]: [ConstraintData<R>; 2],
    products: [R; 3],
    projection: Projection,
    damping: f64,
    volume: R,
) -> [R; 2] {
    let slack = match projection {
        Projection::Separate => 1.0,
        Projection::Together => 1.0 + REGULARISATION,
    };
    let least = volume * SATISFIED_STRAIN;
    let [a_own, a_cross, a_right] = a.row(products[0] * slack, products[1], damping, least);
    let [b_own, b_cross, b_right] = b.row(products[2] * slack, products[1], damping, least);
    // Cramer's rule. A result that is not finite, as from invalid positions, moves nothing.
    let inverse = -volume.one() / a_own.mul_add(b_own, -(a_cross * b_cross));
    [
        finite_or_zero(a_right.mul_add(b_own, -(b_right * a_cross)) * inverse),
        finite_or_zero(b_right.mul_add(a_own, -(a_right * b_cross)) * inverse),
    ]
}

impl<R: Lane> ConstraintData<R> {
    /// Creates a constraint with this S; the other fields are zero.
    #[inline(always)]
    pub(super) fn new(sum: R) -> Self {
        let zero = sum.zero();
        Self { size: sum.abs(), stiffness: zero, lambda: zero, held: zero, moved: zero }
    }

    /// The coefficients of its own y and of the other's, and the negative right-hand side; they give y = 0 if the
    /// constraint is satisfied.
    #[inline(always)]
    fn row(self, own: R, cross: R, damping: f64, least: R) -> [R; 3] {
        let (zero, scale) = (own.zero(), self.stiffness * (1.0 + damping));
        let right = self.stiffness * (self.size * 2.0 + self.moved * damping) + self.held;
        [
            least.if_less(self.size, scale.mul_add(own, self.size * 4.0), zero.one()),
            least.if_less(self.size, scale * cross, zero),
            least.if_less(self.size, right, zero),
        ]
    }
}

/// Returns the value, or zero where it is not finite.
#[inline(always)]
fn finite_or_zero<R: Lane>(value: R) -> R {
    (value * 0.0).abs().if_less(value.one(), value, value.zero())
}
