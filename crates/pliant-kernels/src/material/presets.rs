//! Material presets by name.

use glam::DVec3;

use crate::material::nearest::nearest;
use crate::material::{Grain, LawKind, Material, MaterialError, Parameters, Toughness};

/// A named material and the sources of its values.
///
/// The values are typical: real rubber, wood or flesh varies by a factor of two or more between samples. Wood and
/// bone are stiffer along their fibres; here they have that stiffness in every direction. Materials for large strain
/// use the rest-stable law, materials that break at small strain the corotated law.
///
/// ```
/// use pliant_kernels::material::Material;
///
/// assert_eq!(Material::preset("steel").map(|steel| steel.density), Ok(7850.0));
/// let error = Material::preset("wod").unwrap_err().to_string();
/// assert!(error.contains("did you mean `wood`?"));
/// ```
///
/// Brittle materials also have a toughness. It is not part of `material`, so that bodies are checked for fracture
/// only on request.
///
/// ```
/// use pliant_kernels::material::{Material, Preset};
///
/// let glass = Preset::ALL.iter().find(|preset| preset.name == "glass").expect("there is glass");
/// let brittle = Material { toughness: glass.toughness, ..glass.material };
/// assert!(brittle.check().is_ok() && brittle.toughness.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// The name in scene files.
    pub name: &'static str,
    /// The material.
    pub material: Material,
    /// The stress at which it breaks, for materials that break at small strain, before they flow; fibres lie along x
    /// unless changed.
    pub toughness: Option<Toughness>,
    /// Author and year of the source, with further sources for values that the first does not give.
    pub source: &'static str,
}

impl Preset {
    /// All presets, from soft to stiff.
    pub const ALL: [Self; 11] = [
        soft("flesh", 3.25e3, 0.49, 1060.0, "E: Samani 2007, fat and gland; density: Mendez 1960"),
        soft("gelatin", 1.25e4, 0.49, 1010.0, "E: Nguyen 2014, three times μ of a gel of 5 %"),
        soft("foam", 5e5, 0.3, 30.0, "Ashby 2011, flexible polymer foam of very low density"),
        soft("rubber", 2e6, 0.49, 1100.0, "Gere 2001, appendix H"),
        soft("cork", 1.5e7, 0.05, 170.0, "Gibson 1981, mean over the directions"),
        stiff(
            "wood",
            1.2e10,
            0.29,
            520.0,
            "Gere 2001, Douglas fir; ν, toughness: Forest Products Laboratory 2010",
        )
        .brittle(fibrous(2.3e6, 37.0)),
        stiff(
            "bone",
            1.7e10,
            0.3,
            1900.0,
            "E, toughness: Reilly 1975, along a femur; ν: Zysset 1999; density: Halliday 1997",
        )
        .brittle(fibrous(5.1e7, 2.6)),
        stiff(
            "concrete",
            2.5e10,
            0.2,
            2300.0,
            "Gere 2001, appendix H; toughness: CEN 2004, table 3.1, C25/30",
        )
        .brittle(Toughness::new(2.6e6)),
        stiff(
            "glass",
            6.9e10,
            0.2,
            2500.0,
            "Dowling 2013, table 5.2, soda-lime; density: Gere 2001; toughness: CEN 2012",
        )
        .brittle(Toughness::new(4.5e7)),
        stiff("aluminium", 7e10, 0.33, 2700.0, "Gere 2001, appendix H"),
        stiff("steel", 2.1e11, 0.29, 7850.0, "Gere 2001, appendix H; ν: Dowling 2013, table 5.2"),
    ];

    const fn brittle(self, toughness: Toughness) -> Self {
        Self { toughness: Some(toughness), ..self }
    }
}

/// Toughness of fibres along x: the strength across them, in Pa, and the ratio of the strength along them to it.
const fn fibrous(strength: f64, ratio: f64) -> Toughness {
    Toughness { strength, grain: Some(Grain { along: DVec3::X, ratio }) }
}

impl Material {
    /// Returns the material with this name; see [`Preset::ALL`].
    ///
    /// # Errors
    ///
    /// Fails with [`MaterialError::UnknownPreset`] and the nearest name.
    pub fn preset(name: &str) -> Result<Self, MaterialError> {
        let found = Preset::ALL.iter().find(|preset| preset.name == name);
        found.map(|preset| preset.material).ok_or_else(|| {
            let names = Preset::ALL.map(|preset| preset.name);
            MaterialError::UnknownPreset { name: name.to_owned(), nearest: nearest(name, &names) }
        })
    }
}

/// A material for large strain.
const fn soft(
    name: &'static str,
    young: f64,
    poisson: f64,
    density: f64,
    source: &'static str,
) -> Preset {
    preset(name, LawKind::RestStable, [young, poisson, density], source)
}

/// A material for small strain.
const fn stiff(
    name: &'static str,
    young: f64,
    poisson: f64,
    density: f64,
    source: &'static str,
) -> Preset {
    preset(name, LawKind::Corotated, [young, poisson, density], source)
}

const fn preset(
    name: &'static str,
    law: LawKind,
    numbers: [f64; 3],
    source: &'static str,
) -> Preset {
    let [young, poisson, density] = numbers;
    let parameters = Parameters::Corrected;
    Preset {
        name,
        material: Material {
            law,
            parameters,
            young,
            poisson,
            density,
            plastic: None,
            toughness: None,
            rigid: false,
        },
        toughness: None,
        source,
    }
}
