//! Lamé's two moduli.

/// Lamé's moduli of an isotropic solid, in Pa.
///
/// The pair has two uses: as the moduli of Hooke's law, σ = 2μ ε + λ tr(ε) I, and as the constants μ and λ in the
/// formula of a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lame {
    /// Shear modulus μ, in Pa.
    pub mu: f64,
    /// First parameter λ, in Pa; negative for ν < 0.
    pub lambda: f64,
}

impl Lame {
    /// Converts Young's modulus E, in Pa, and Poisson's ratio ν.
    ///
    /// ```text
    /// μ = E / (2 (1 + ν))        λ = E ν / ((1 + ν)(1 − 2ν))
    /// ```
    #[must_use]
    pub fn from_young_poisson(young: f64, poisson: f64) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Self { mu, lambda }
    }

    /// Returns the bulk modulus K = λ + 2μ/3, in Pa.
    #[must_use]
    pub fn bulk(self) -> f64 {
        self.lambda + self.mu * (2.0 / 3.0)
    }

    /// Returns the P-wave modulus λ + 2μ, in Pa.
    #[must_use]
    pub fn p_wave(self) -> f64 {
        self.lambda + 2.0 * self.mu
    }
}
