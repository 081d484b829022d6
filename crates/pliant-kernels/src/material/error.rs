//! Errors of materials.

use crate::material::{LawKind, Parameters, Preset};

/// The reason why a material cannot be simulated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// Young's modulus is not positive or out of range.
    #[error(
        "young is {value:e} Pa, expected 1e-9 to 1e15: E is in pascal, soft rubber has 1e6 and steel 2.1e11"
    )]
    Young {
        /// The value given, in Pa.
        value: f64,
    },
    /// Poisson's ratio is 1/2 or more: the material would be incompressible.
    #[error(
        "poisson is {value}, expected less than 0.5: at 0.5 a material is incompressible and its bulk modulus infinite; try 0.49, or 0.499 with elements of degree 2"
    )]
    Incompressible {
        /// The value given.
        value: f64,
    },
    /// Poisson's ratio is −1 or less, or NaN.
    #[error(
        "poisson is {value}, expected a number above -1 and below 0.5 (most solids: 0.2 to 0.49)"
    )]
    Poisson {
        /// The value given.
        value: f64,
    },
    /// Density is not positive or out of range.
    #[error(
        "density is {value:e} kg/m³, expected 1e-6 to 1e9: water has 1000, foam 30 and steel 7850"
    )]
    Density {
        /// The value given, in kg/m³.
        value: f64,
    },
    /// A threshold of plastic flow that is not positive.
    #[error(
        "{what} is {value:e}, expected a positive number: a material that yields at zero load keeps no shape; omit `plastic` for an elastic material"
    )]
    Yield {
        /// The name of the threshold.
        what: &'static str,
        /// The value given, in Pa or as a strain.
        value: f64,
    },
    /// A hardening modulus that is negative or not finite.
    #[error(
        "hardening is {value:e} Pa, expected 0 or more: a material that softens while it flows would flow without end"
    )]
    Hardening {
        /// The value given, in Pa.
        value: f64,
    },
    /// A creep rate that is not positive.
    #[error(
        "the creep rate is {value:e} 1/s, expected a positive number: 1 lets strain relax within seconds"
    )]
    CreepRate {
        /// The value given, in 1/s.
        value: f64,
    },
    /// A limit of plastic strain below the yield threshold.
    #[error(
        "the limit of plastic flow is {limit:e}, below {what}, {threshold:e}: raise it, or omit it for no limit"
    )]
    PlasticLimit {
        /// The name of the threshold.
        what: &'static str,
        /// The limit given.
        limit: f64,
        /// The threshold.
        threshold: f64,
    },
    /// A toughness that is not positive.
    #[error(
        "toughness is {value:e} Pa, expected a positive number of at most 1e15: the tensile stress at which the material breaks; glass has 5e7, chalk 1e6; omit `toughness` for a material that never breaks"
    )]
    Toughness {
        /// The value given, in Pa.
        value: f64,
    },
    /// A grain direction that is zero or not finite.
    #[error(
        "the grain direction is ({x}, {y}, {z}), expected a finite vector that is not zero, such as (1, 0, 0)"
    )]
    GrainDirection {
        /// Its first component.
        x: f64,
        /// Its second.
        y: f64,
        /// Its third.
        z: f64,
    },
    /// A ratio of the grain below 1, too large, or NaN.
    #[error(
        "the grain's ratio is {value}, expected 1 to 1e6: the strength along the fibres divided by the strength across them; wood has about 20"
    )]
    GrainRatio {
        /// The value given.
        value: f64,
    },
    /// Published parameters whose bulk modulus at rest is not positive.
    #[error(
        "law {law} as published has no stable rest state at poisson {poisson}: it needs more than {least:.4}; raise poisson or use corrected parameters"
    )]
    UnstableAtRest {
        /// The law.
        law: LawKind,
        /// Poisson's ratio.
        poisson: f64,
        /// Poisson's ratio above which it is stable.
        least: f64,
    },
    /// An unknown law.
    #[error("no law is called `{name}`: did you mean `{nearest}`? (laws: {})", names(&LawKind::ALL.map(LawKind::name)))]
    UnknownLaw {
        /// The name given.
        name: String,
        /// The most similar known name.
        nearest: &'static str,
    },
    /// An unknown choice of parameters.
    #[error("parameters cannot be `{name}`: did you mean `{nearest}`? (choices: {})", names(&Parameters::ALL.map(Parameters::name)))]
    UnknownParameters {
        /// The name given.
        name: String,
        /// The most similar known name.
        nearest: &'static str,
    },
    /// An unknown preset.
    #[error("no material is called `{name}`: did you mean `{nearest}`? (materials: {})", names(&Preset::ALL.map(|preset| preset.name)))]
    UnknownPreset {
        /// The name given.
        name: String,
        /// The most similar known name.
        nearest: &'static str,
    },
}

/// Joins names with commas.
fn names(all: &[&str]) -> String {
    all.join(", ")
}
