//! The two constraints of a cell, solved one after the other or together.

use crate::math::Lane;

/// How the two constraints of a cell are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Projection {
    /// The one of shape, then the one of volume where that has led, as published.
    Separate,
    /// Both at once, from one evaluation: two equations with two unknowns.
    #[default]
    Together,
}

impl Projection {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Separate, Self::Together];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Separate => "separate",
            Self::Together => "together",
        }
    }

    /// Which constraints each pass takes.
    #[inline(always)]
    pub(super) const fn passes(self) -> &'static [[bool; 2]] {
        match self {
            Self::Separate => &[[true, false], [false, true]],
            // The second pass is for cells far from rest.
            Self::Together => &[[true, true], [false, true]],
        }
    }
}

/// Below this square of a strain a constraint is met to rounding, and left alone.
const MET: f64 = 1e-30;

/// What is added to a constraint's own g M⁻¹ g, relative to it, where both are solved together. In a cell
/// that is far from rest both may pull along nearly one line and want different lengths of it; the exact
/// solution is then a leap across that line. With this it is at most half again as long as a step of one
/// constraint alone.
const SLACK: f64 = 1e-3;

/// The numbers of one constraint C = √|S|, S = Σ V ψ̃, with g = ∂S/∂x.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<R> {
    /// |S|, in m³.
    pub(super) size: R,
    /// Stiffness times the square of the substep, k h², in Pa·s².
    pub(super) stiffness: R,
    /// Multiplier so far.
    pub(super) lambda: R,
    /// 2Cλ.
    pub(super) held: R,
    /// g · (x − x₀): how far the substep has moved along the gradient; zero without damping.
    pub(super) moved: R,
}

/// Finds y such that moving by M⁻¹ (g_A y_A + g_B y_B) meets both constraints to first order.
///
/// With ∇C = g/(2C) and Δλ = 2C y the equation of each constraint, damped by c = b/h,
///
/// ```text
/// C + α̃ (λ + Δλ) + c ∇C·(x − x₀) + (1 + c) ∇C M⁻¹ Σ ∇Cᵀ Δλ = 0
/// ```
///
/// times 2C k h² becomes linear in y without a root or a quotient that vanishes at rest:
///
/// ```text
/// (4S + (1 + c) k h² g M⁻¹ g) y + (1 + c) k h² g M⁻¹ g′ y′ = −k h² (2S + c g·(x − x₀)) − 2C λ
/// ```
///
/// Macklin et al. 2016, eq. 26; Saillant et al. 2024, eq. 16, 17 and 23. `products` are g M⁻¹ g of A with
/// A, A with B and B with B.
#[inline(always)]
pub(super) fn solve<R: Lane>(
    [a, b]: [Side<R>; 2],
    products: [R; 3],
    projection: Projection,
    damping: f64,
    volume: R,
) -> [R; 2] {
    let slack = match projection {
        Projection::Separate => 1.0,
        Projection::Together => 1.0 + SLACK,
    };
    let least = volume * MET;
    let [a_own, a_cross, a_right] = a.row(products[0] * slack, products[1], damping, least);
    let [b_own, b_cross, b_right] = b.row(products[2] * slack, products[1], damping, least);
    let inverse = -volume.one() / (a_own * b_own - a_cross * b_cross);
    [
        finite_or_zero((a_right * b_own - b_right * a_cross) * inverse),
        finite_or_zero((b_right * a_own - a_right * b_cross) * inverse),
    ]
}

impl<R: Lane> Side<R> {
    /// A constraint with this S, before anything else is known of it.
    #[inline(always)]
    pub(super) fn new(sum: R) -> Self {
        let zero = sum.zero();
        Self { size: sum.abs(), stiffness: zero, lambda: zero, held: zero, moved: zero }
    }

    /// The coefficients of its own y and of the other's, and the negative right-hand side; y = 0 if the
    /// constraint is met.
    #[inline(always)]
    fn row(self, own: R, cross: R, damping: f64, least: R) -> [R; 3] {
        let (zero, scale) = (own.zero(), self.stiffness * (1.0 + damping));
        let right = self.stiffness * (self.size * 2.0 + self.moved * damping) + self.held;
        [
            least.if_less(self.size, self.size * 4.0 + scale * own, zero.one()),
            least.if_less(self.size, scale * cross, zero),
            least.if_less(self.size, right, zero),
        ]
    }
}

/// The value, or zero where it is not a number or infinite.
#[inline(always)]
fn finite_or_zero<R: Lane>(value: R) -> R {
    (value * 0.0).abs().if_less(value.one(), value, value.zero())
}
