//! Materials as specified by the user.

use crate::material::{
    Lame, LawFamily, LawKind, LawVisitor, MaterialError, Parameters, Plastic, Toughness,
};

/// An isotropic material, elastic or plastic.
///
/// ```
/// use pliant_kernels::material::{LawKind, Material};
///
/// let steel = Material { law: LawKind::Corotated, young: 2.1e11, poisson: 0.29, density: 7850.0, ..Default::default() };
/// assert!(steel.check().is_ok());
/// assert!((steel.wave_speed() - 5921.0).abs() < 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// The law (default [`LawKind::RestStable`]).
    pub law: LawKind,
    /// The way E and ν enter the law (default [`Parameters::Corrected`]).
    pub parameters: Parameters,
    /// Young's modulus E, in Pa (default `1e6`, a soft rubber). The time step that resolves its waves is proportional
    /// to 1/√E.
    pub young: f64,
    /// Poisson's ratio ν, above −1 and below 0.5 (default `0.45`). Above 0.49 elements of degree 1
    /// lock.
    pub poisson: f64,
    /// Density at rest, in kg/m³ (default `1000`).
    pub density: f64,
    /// Plastic flow (default `None`: elastic).
    pub plastic: Option<Plastic>,
    /// Fracture strength (default `None`: never breaks).
    pub toughness: Option<Toughness>,
    /// True if cells of this material do not deform (default `false`): connected cells move as one rigid piece,
    /// whatever the moduli; these then affect only contacts.
    pub rigid: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            law: LawKind::RestStable,
            parameters: Parameters::Corrected,
            young: 1e6,
            poisson: 0.45,
            density: 1000.0,
            plastic: None,
            toughness: None,
            rigid: false,
        }
    }
}

impl Material {
    /// Checks every field, so that other functions need not.
    ///
    /// # Errors
    ///
    /// Fails with the first field that is out of range, or with [`MaterialError::UnstableAtRest`].
    pub fn check(&self) -> Result<(), MaterialError> {
        let Self { law: _, parameters: _, young, poisson, density, plastic, toughness, rigid: _ } =
            *self;
        if !(1e-9..=1e15).contains(&young) {
            return Err(MaterialError::Young { value: young });
        }
        if poisson >= 0.5 {
            return Err(MaterialError::Incompressible { value: poisson });
        }
        if poisson.is_nan() || poisson <= -1.0 {
            return Err(MaterialError::Poisson { value: poisson });
        }
        if !(1e-6..=1e9).contains(&density) {
            return Err(MaterialError::Density { value: density });
        }
        plastic.map_or(Ok(()), |plastic| plastic.check())?;
        toughness.map_or(Ok(()), |toughness| toughness.check())?;
        self.check_rest()
    }

    /// Rejects published parameters whose small-strain bulk modulus is not positive.
    fn check_rest(&self) -> Result<(), MaterialError> {
        let stable = self.small_strain().bulk() > 0.0;
        if stable || self.parameters == Parameters::Corrected {
            return Ok(());
        }
        let Self { law, poisson, .. } = *self;
        Err(MaterialError::UnstableAtRest { law, poisson, least: least_poisson(law) })
    }

    /// Returns its plastic flow; `None` for a rigid material.
    #[must_use]
    pub fn flow(&self) -> Option<Plastic> {
        self.plastic.filter(|_| !self.rigid)
    }

    /// Returns its toughness; `None` for a rigid material.
    #[must_use]
    pub fn breaks(&self) -> Option<Toughness> {
        self.toughness.filter(|_| !self.rigid)
    }

    /// Returns Lamé's moduli for E and ν.
    #[must_use]
    pub fn lame(&self) -> Lame {
        Lame::from_young_poisson(self.young, self.poisson)
    }

    /// Returns the constants μ and λ of the law's formula, which kernels read.
    #[must_use]
    pub fn constants(&self) -> Lame {
        match self.parameters {
            Parameters::Corrected => self.law.visit(Constants(self.lame())),
            Parameters::AsPublished => self.lame(),
        }
    }

    /// Returns Lamé's moduli at small strain: [`Material::lame`], unless the parameters are
    /// [`Parameters::AsPublished`].
    #[must_use]
    pub fn small_strain(&self) -> Lame {
        match self.parameters {
            Parameters::Corrected => self.lame(),
            Parameters::AsPublished => self.law.visit(SmallStrain(self.lame())),
        }
    }

    /// Returns the speed of a pressure wave at rest, √((λ + 2μ)/ρ), in m/s. It is the fastest wave, so in an explicit
    /// step it must not cross more than one cell.
    #[must_use]
    pub fn wave_speed(&self) -> f64 {
        (self.small_strain().p_wave() / self.density).sqrt()
    }
}

/// ν at which the small-strain bulk modulus of the published form of `law` vanishes.
///
/// ```text
/// λ/μ = 2ν/(1 − 2ν) = r        ν = r/(2 (1 + r))
/// ```
fn least_poisson(law: LawKind) -> f64 {
    let shown = law.visit(SmallStrain(Lame { mu: 1.0, lambda: 0.0 }));
    // The bulk modulus is that at λ = 0 plus λ.
    let ratio = -shown.bulk();
    ratio / (2.0 * (1.0 + ratio))
}

/// [`LawFamily::constants`] of a law chosen at run time.
struct Constants(Lame);

impl LawVisitor for Constants {
    type Output = Lame;

    fn visit<F: LawFamily>(self) -> Lame {
        F::constants(self.0)
    }
}

/// [`LawFamily::small_strain`] of a law chosen at run time.
struct SmallStrain(Lame);

impl LawVisitor for SmallStrain {
    type Output = Lame;

    fn visit<F: LawFamily>(self) -> Lame {
        F::small_strain(self.0)
    }
}
