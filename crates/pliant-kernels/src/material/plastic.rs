//! Plastic flow of a material.

use crate::material::MaterialError;

/// The threshold, rate and limit of plastic flow. It preserves volume: only the deviatoric part of stress or strain
/// causes flow.
///
/// ```
/// use pliant_kernels::material::{Material, Plastic};
///
/// let clay = Plastic::Hardening { yield_stress: 2e4, hardening: 1e4, limit: 1e6 };
/// assert!(Material { plastic: Some(clay), ..Default::default() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plastic {
    /// Flow that keeps the stress on a moving yield surface: linear kinematic hardening (Mezger et al. 2007, section
    /// 5). It does not depend on the strain rate.
    ///
    /// ```text
    /// ‖dev σ − κ‖ ≤ √(2/3) σʸ        κ = H εᵖ        ‖εᵖ‖ ≤ √(2/3) σᶻ/2μ
    /// ```
    ///
    /// In uniaxial tension: elastic up to σʸ, then a slope of 3/2 H against the plastic strain until that is σᶻ/3μ,
    /// then elastic again.
    Hardening {
        /// Yield stress σʸ of a bar in tension, in Pa.
        yield_stress: f64,
        /// Hardening modulus H, in Pa: motion of the yield surface per plastic strain; zero for a material that does
        /// not harden.
        hardening: f64,
        /// σᶻ, which bounds the plastic strain, in Pa; infinite for no limit.
        limit: f64,
    },
    /// Flow at a rate proportional to the excess of the elastic strain over a threshold (Parker & O'Brien 2009, eq.
    /// 3).
    ///
    /// ```text
    /// ε̇ᵖ = c (‖dev εᵉ‖ − y) dev εᵉ/‖dev εᵉ‖        ‖εᵖ‖ ≤ n
    /// ```
    ///
    /// The published flow is per step; as a rate it does not depend on the length of a step.
    Creep {
        /// Yield strain y: the elastic strain above which it flows, dimensionless.
        yield_strain: f64,
        /// Rate c, in 1/s: the excess over the threshold falls to 1/e after 1/c seconds.
        rate: f64,
        /// Largest plastic strain n; infinite for no limit.
        limit: f64,
    },
}

impl Plastic {
    /// Checks every value.
    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let (threshold, limit, what) = match *self {
            Self::Hardening { yield_stress, hardening, limit } => {
                if !(hardening.is_finite() && hardening >= 0.0) {
                    return Err(MaterialError::Hardening { value: hardening });
                }
                (yield_stress, limit, "yield_stress")
            }
            Self::Creep { yield_strain, rate, limit } => {
                if !(rate.is_finite() && rate > 0.0) {
                    return Err(MaterialError::CreepRate { value: rate });
                }
                (yield_strain, limit, "yield_strain")
            }
        };
        if !(threshold.is_finite() && threshold > 0.0) {
            return Err(MaterialError::Yield { what, value: threshold });
        }
        if limit.is_nan() || limit < threshold {
            return Err(MaterialError::PlasticLimit { what, limit, threshold });
        }
        Ok(())
    }

    /// Returns the largest norm of plastic strain, in a material with this shear modulus.
    #[must_use]
    pub fn largest_strain(&self, mu: f64) -> f64 {
        match *self {
            Self::Hardening { limit, .. } => (2.0_f64 / 3.0).sqrt() * limit / (2.0 * mu),
            Self::Creep { limit, .. } => limit,
        }
    }
}
