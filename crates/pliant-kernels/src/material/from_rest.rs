//! Invariants of F relative to the rest state.

use crate::math::{Lane, Mat3};

/// The quantities that the neo-Hookean laws need from F, written in G = F − I.
///
/// ```text
/// J − 1      = tr G + tr cof G + det G
/// I₂ − 3     = 2 tr G + ‖G‖²                        I₂ = ‖F‖²,  J = det F
/// I₂ − 2J − 1 = ‖G‖² − 2 tr cof G − 2 det G
/// cof F      = (1 + tr G) I − Gᵀ + cof G
/// ```
///
/// The same polynomials as in F, at the same cost, but the large terms that cancel at rest are cancelled
/// analytically: at a strain of 10⁻⁶ the energy has ten correct digits instead of four, which a line search on a
/// stiff body needs. Derived here.
#[derive(Debug, Clone, Copy)]
pub(super) struct FromRest<R> {
    /// G = F − I.
    g: Mat3<R>,
    /// cof G.
    cofactor_g: Mat3<R>,
    /// tr G.
    trace: R,
    /// tr cof G + det G.
    higher: R,
    /// ‖G‖².
    norm_squared: R,
}

impl<R: Lane> FromRest<R> {
    #[inline(always)]
    pub(super) fn new(f: &Mat3<R>) -> Self {
        let g = f.add_diagonal(f.at(0, 0).like(-1.0));
        let cofactor_g = g.cofactor();
        let det = g.0[0].dot(cofactor_g.0[0]);
        let (trace, norm_squared) = (g.trace(), g.norm_squared());
        Self { g, cofactor_g, trace, higher: cofactor_g.trace() + det, norm_squared }
    }

    /// The same by fused multiply-adds.
    #[inline(always)]
    pub(super) fn fused(f: &Mat3<R>) -> Self {
        let g = f.add_diagonal(f.at(0, 0).like(-1.0));
        let cofactor_g = g.fused_cofactor();
        let det = g.0[0].fused_dot(cofactor_g.0[0]);
        let (trace, norm_squared) = (g.trace(), g.fused_ddot(&g));
        Self { g, cofactor_g, trace, higher: cofactor_g.trace() + det, norm_squared }
    }

    /// J − 1.
    #[inline(always)]
    pub(super) fn dilation(&self) -> R {
        self.trace + self.higher
    }

    /// I₂ − 3.
    #[inline(always)]
    pub(super) fn stretch(&self) -> R {
        self.trace * 2.0 + self.norm_squared
    }

    /// I₂ − 2J − 1.
    #[inline(always)]
    pub(super) fn distortion(&self) -> R {
        self.norm_squared - self.higher * 2.0
    }

    /// cof F.
    #[inline(always)]
    pub(super) fn cofactor(&self) -> Mat3<R> {
        (self.cofactor_g - self.g.transpose()).add_diagonal(self.trace + 1.0)
    }

    /// F − cof F.
    #[inline(always)]
    pub(super) fn imbalance(&self) -> Mat3<R> {
        (self.g + self.g.transpose() - self.cofactor_g).add_diagonal(-self.trace)
    }
}
