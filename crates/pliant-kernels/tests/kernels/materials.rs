//! Valid material parameters, and the errors for invalid ones.

use glam::DVec3;
use pliant_kernels::material::{Lame, LawKind, Material, MaterialError, Parameters, Preset};

fn checked(change: impl FnOnce(&mut Material)) -> Result<(), MaterialError> {
    let mut material = Material::default();
    change(&mut material);
    material.check()
}

fn message(change: impl FnOnce(&mut Material)) -> String {
    checked(change).unwrap_err().to_string()
}

/// The default material and all presets are valid, and every preset has a source with a year. Breakable presets
/// break at a strain below 1 %.
#[test]
fn default_and_every_preset_are_sound_and_sourced() {
    assert_eq!(Material::default().check(), Ok(()));
    for preset in Preset::ALL {
        assert_eq!(preset.material.check(), Ok(()), "{}", preset.name);
        let breakable = Material { toughness: preset.toughness, ..preset.material };
        assert_eq!(breakable.check(), Ok(()), "{}", preset.name);
        // Also along the grain, where the strength is largest.
        let strongest = preset.toughness.map_or(0.0, |tough| tough.strength_along(DVec3::X));
        assert!(strongest < 0.01 * preset.material.young, "{}", preset.name);
        assert_eq!(Material::preset(preset.name), Ok(preset.material));
        assert!(preset.source.contains(char::is_numeric), "{}: no year", preset.name);
    }
    assert!(
        Preset::ALL.is_sorted_by_key(|preset| preset.material.young),
        "presets must be sorted from soft to stiff"
    );
}

/// Young's modulus and density that are not positive, not finite or implausible are errors that name the unit.
#[test]
fn young_and_density_must_be_positive_finite_and_plausible() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, f64::MIN_POSITIVE] {
        assert!(message(|m| m.young = bad).contains("pascal"), "{bad}");
        assert!(message(|m| m.density = bad).contains("kg/m³"), "{bad}");
    }
}

/// Poisson's ratio of 0.5 or more, or of −1 or less, is an error that explains the limit.
#[test]
fn poisson_of_a_half_is_explained() {
    for bad in [0.5, 0.7, f64::INFINITY] {
        let message = message(|m| m.poisson = bad);
        assert!(message.contains("incompressible") && message.contains("0.499"), "{message}");
    }
    for bad in [-1.0, -3.0, f64::NAN, f64::NEG_INFINITY] {
        assert!(message(|m| m.poisson = bad).contains("above -1"), "{bad}");
    }
    for good in [-0.999, -0.3, 0.0, 0.4999999] {
        assert_eq!(checked(|m| m.poisson = good), Ok(()), "{good}");
    }
}

/// Laws as published are refused where their bulk modulus at rest is not positive: eq. 18 and 24 have K = λ − μ/3,
/// which is zero at ν = 1/8; eq. 14 of Smith et al. 2018 has K = λ − μ/8, which is zero at ν = 1/18.
#[test]
fn published_forms_without_a_stable_rest_state_are_refused() {
    let published = |law, poisson| {
        checked(|m| (m.law, m.poisson, m.parameters) = (law, poisson, Parameters::AsPublished))
    };
    let limits = [
        (LawKind::RestStable, 1.0 / 8.0),
        (LawKind::MacklinMuller, 1.0 / 8.0),
        (LawKind::Smith, 1.0 / 18.0),
    ];
    for (law, limit) in limits {
        assert_eq!(published(law, limit + 1e-6), Ok(()));
        let error = published(law, limit - 1e-6).unwrap_err();
        let MaterialError::UnstableAtRest { least, .. } = error else { panic!("{error}") };
        assert!((least - limit).abs() < 1e-15, "{law}: {least}");
        assert!(error.to_string().contains("corrected"));
    }
    assert_eq!(published(LawKind::Corotated, -0.5), Ok(()));
}

/// E = 2.6 and ν = 0.3 give μ = 1 and λ = 1.5.
#[test]
fn lame_moduli_are_those_of_the_textbook() {
    let Lame { mu, lambda } = Lame::from_young_poisson(2.6, 0.3);
    assert!((mu - 1.0).abs() < 1e-15 && (lambda - 1.5).abs() < 1e-15);
}

/// Corrected constants give Hooke's law with the given moduli at small strain; published ones are the given
/// moduli.
#[test]
fn constants_undo_what_the_formula_does() {
    for law in LawKind::ALL {
        let corrected = Material { law, ..Default::default() };
        let literal = Material { parameters: Parameters::AsPublished, ..corrected };
        assert_eq!(literal.constants(), literal.lame());
        assert_eq!(corrected.small_strain(), corrected.lame());
        let changes = corrected.constants() != corrected.lame();
        assert_eq!(changes, literal.small_strain() != literal.lame(), "{law}");
    }
}

/// Names of laws, parameters and presets are parsed, and a misspelled name is answered with the nearest one.
#[test]
fn names_are_read_back_and_near_misses_are_answered() {
    for law in LawKind::ALL {
        assert_eq!(law.name().parse(), Ok(law));
    }
    for parameters in Parameters::ALL {
        assert_eq!(parameters.name().parse(), Ok(parameters));
    }
    let error = "Macklin-Mueller".parse::<LawKind>().unwrap_err().to_string();
    assert!(error.contains("did you mean `macklin-muller`") && error.contains("corotated"));
    let error = "published".parse::<Parameters>().unwrap_err().to_string();
    assert!(error.contains("did you mean `as-published`"));
    let error = Material::preset("aluminum").unwrap_err().to_string();
    assert!(error.contains("did you mean `aluminium`"));
    let long = "x".repeat(1_000_000);
    assert!(long.parse::<LawKind>().is_err());
}
