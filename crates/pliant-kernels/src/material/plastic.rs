//! How a material stays deformed.

use crate::material::MaterialError;

/// When matter begins to flow, and how far. Volume stays: only the deviatoric part of stress or strain makes it flow.
///
/// ```
/// use pliant_kernels::material::{Material, Plastic};
///
/// let clay = Plastic::Hardening { yield_stress: 2e4, hardening: 1e4, limit: 1e6 };
/// assert!(Material { plastic: Some(clay), ..Default::default() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plastic {
    /// Flow that keeps stress on the yield surface, which moves along: linear kinematic hardening (Mezger et al. 2007,
    /// section 5). It does not depend on how fast things happen.
    ///
    /// ```text
    /// ‖dev σ − κ‖ ≤ √(2/3) σʸ        κ = H εᵖ        ‖εᵖ‖ ≤ √(2/3) σᶻ/2μ
    /// ```
    ///
    /// Pulled in one direction: elastic up to σʸ, then with slope 3/2 H against the plastic strain until that is
    /// σᶻ/3μ, then elastic again.
    Hardening {
        /// σʸ: the stress at which a bar begins to flow, in Pa.
        yield_stress: f64,
        /// H: how much the yield surface moves with plastic strain, in Pa; zero for a material that does not harden.
        hardening: f64,
        /// σᶻ: bounds plastic strain; in Pa, infinite for none.
        limit: f64,
    },
    /// Flow as fast as the elastic strain is beyond a threshold (Parker & O'Brien 2009, eq. 3).
    ///
    /// ```text
    /// ε̇ᵖ = c (‖dev εᵉ‖ − y) dev εᵉ/‖dev εᵉ‖        ‖εᵖ‖ ≤ n
    /// ```
    ///
    /// Theirs is the flow of one step; as a rate it does not depend on how long steps are.
    Creep {
        /// y: the elastic strain beyond which it flows, a pure number.
        yield_strain: f64,
        /// c, in 1/s: what is beyond the threshold is down to 1/e after 1/c seconds.
        rate: f64,
        /// n: the largest plastic strain, infinite for none.
        limit: f64,
    },
}

impl Plastic {
    /// Checks every number.
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

    /// The largest norm of plastic strain, in a material of this shear modulus.
    #[must_use]
    pub fn largest_strain(&self, mu: f64) -> f64 {
        match *self {
            Self::Hardening { limit, .. } => (2.0_f64 / 3.0).sqrt() * limit / (2.0 * mu),
            Self::Creep { limit, .. } => limit,
        }
    }
}
