//! Evaluation of laws at a single point, without lanes.

use crate::material::{Law, LawFamily, LawKind, LawVisitor, hessian};
use crate::math::{Mat3, svd};

/// ∂P/∂F with P and F read column by column: entry (i, j) has index i + 3j.
pub type PointStiffness = [[f64; 9]; 9];

// These methods are not generic, so that a crate that calls them compiles no law.
impl LawKind {
    /// Returns P(F) for the constants μ and λ of the law's formula, in Pa.
    pub fn stress(self, mu: f64, lambda: f64, f: &Mat3) -> Mat3 {
        self.visit(Stress { mu, lambda, f })
    }

    /// Returns ∂P/∂F, in Pa.
    pub fn stiffness(self, mu: f64, lambda: f64, f: &Mat3) -> PointStiffness {
        self.visit(Stiffness { mu, lambda, f })
    }

    /// Returns the positive semi-definite matrix nearest to ∂P/∂F, in Pa.
    pub fn stiffness_psd(self, mu: f64, lambda: f64, f: &Mat3) -> PointStiffness {
        self.stiffness_psd_with(mu, lambda, 0.0, f)
    }

    /// Returns the positive semi-definite matrix nearest to ∂(P + q cof F)/∂F with a constant pressure q, in Pa.
    pub fn stiffness_psd_with(self, mu: f64, lambda: f64, q: f64, f: &Mat3) -> PointStiffness {
        self.visit(PositiveStiffness { mu, lambda, q, f })
    }
}

struct Stress<'a> {
    mu: f64,
    lambda: f64,
    f: &'a Mat3,
}

impl LawVisitor for Stress<'_> {
    type Output = Mat3;

    fn visit<F: LawFamily>(self) -> Mat3 {
        F::law(self.mu, self.lambda).stress(self.f)
    }
}

struct Stiffness<'a> {
    mu: f64,
    lambda: f64,
    f: &'a Mat3,
}

impl LawVisitor for Stiffness<'_> {
    type Output = PointStiffness;

    fn visit<F: LawFamily>(self) -> PointStiffness {
        F::law(self.mu, self.lambda).stiffness(self.f)
    }
}

struct PositiveStiffness<'a> {
    mu: f64,
    lambda: f64,
    q: f64,
    f: &'a Mat3,
}

impl LawVisitor for PositiveStiffness<'_> {
    type Output = PointStiffness;

    fn visit<F: LawFamily>(self) -> PointStiffness {
        if self.q == 0.0 {
            return F::law(self.mu, self.lambda).stiffness_psd(self.f);
        }
        let mut frame = svd(self.f);
        let mut principal = F::law(self.mu, self.lambda).principal_in(&mut frame);
        principal.add_pressure(&frame.sigma, self.q);
        hessian::by_singular_values(&frame, &principal.positive())
    }
}
