//! Checks of materials.

use std::ops::Range;

use pliant::material::{LawKind, Material, MaterialError, Parameters, Preset};
use toml::Spanned;

use super::{plastic, strength};
use crate::scene::check::problems::Problems;
use crate::scene::file::material::{MaterialFile, MaterialValue};
use crate::scene::problem::fault::Fault;
use crate::scene::read::value::{Number, Word};

/// Checks the material of a body or region.
///
/// Missing keys come from the named preset, or else from `base`: a region differs from its body only in the keys that
/// it gives. Without either, E, ν and the density must all be given.
pub(crate) fn material(
    file: &Spanned<MaterialValue>,
    base: Option<Material>,
    problems: &mut Problems,
) -> Option<Material> {
    match file.get_ref() {
        MaterialValue::Preset(name) => named(&Spanned::new(file.span(), name.clone()), problems),
        MaterialValue::Table(table) => from_table(table, &file.span(), base, problems),
    }
}

fn named(word: &Word, problems: &mut Problems) -> Option<Material> {
    let all: Vec<(&str, Material)> =
        Preset::ALL.iter().map(|preset| (preset.name, preset.material)).collect();
    problems.choice("material", word, &all)
}

fn from_table(
    file: &MaterialFile,
    span: &Range<usize>,
    base: Option<Material>,
    problems: &mut Problems,
) -> Option<Material> {
    let MaterialFile {
        preset,
        law,
        young,
        poisson,
        density,
        parameters,
        plastic,
        toughness,
        rigid,
    } = file;
    let start = match preset {
        Some(word) => Some(named(word, problems)?),
        None => base,
    };
    let usual =
        preset.as_ref().and_then(|word| Preset::ALL.iter().find(|p| p.name == word.get_ref()));
    let complete = start.is_some() || all_given(file, span, problems);
    let laws = LawKind::ALL.map(|law| (law.name(), law));
    let choices = Parameters::ALL.map(|choice| (choice.name(), choice));
    let start = start.unwrap_or_default();
    let set = |number: &Option<Number>, default| number.as_ref().map_or(default, |n| *n.get_ref());
    let law = law.as_ref().map_or(Some(start.law), |word| problems.choice("law", word, &laws));
    let parameters = parameters.as_ref().map_or(Some(start.parameters), |word| {
        problems.choice("choice of parameters", word, &choices)
    });
    let flow = match plastic {
        Some(file) => plastic::plastic(file, problems),
        None => Some(start.plastic),
    };
    let breaks = match toughness {
        Some(file) => {
            let usual = usual.and_then(|preset| preset.toughness);
            strength::strength(file, usual, problems)
        }
        None => Some(start.toughness),
    };
    // The fault of an unknown name is added already; its default lets the numbers be checked too.
    let material = Material {
        law: law.unwrap_or(start.law),
        parameters: parameters.unwrap_or(start.parameters),
        young: set(young, start.young),
        poisson: set(poisson, start.poisson),
        density: set(density, start.density),
        plastic: flow.flatten(),
        toughness: breaks.flatten(),
        rigid: rigid.unwrap_or(start.rigid),
    };
    let numbers_valid = numbers_valid(file, material, span, problems);
    let known = law.is_some() && parameters.is_some() && flow.is_some() && breaks.is_some();
    (numbers_valid && complete && known).then_some(material)
}

/// Checks that a material without a preset gives all three numbers.
fn all_given(file: &MaterialFile, span: &Range<usize>, problems: &mut Problems) -> bool {
    let needed = [
        (&file.young, "`young`", "young = 1e6"),
        (&file.poisson, "`poisson`", "poisson = 0.45"),
        (&file.density, "`density`", "density = 1000"),
    ];
    let missing = needed.iter().filter(|(number, _, _)| number.is_none());
    let faults: Vec<Fault> =
        missing.map(|(_, what, example)| Fault::Missing { what, example }).collect();
    let complete = faults.is_empty();
    for fault in faults {
        problems.add(span.clone(), fault);
    }
    complete
}

/// Adds a fault for each invalid number, at its own position; returns true if there is none.
fn numbers_valid(
    file: &MaterialFile,
    material: Material,
    span: &Range<usize>,
    problems: &mut Problems,
) -> bool {
    let default = Material::default();
    let Material { young, poisson, density, .. } = material;
    let alone = [
        (&file.young, Material { young, ..default }),
        (&file.poisson, Material { poisson, ..default }),
        (&file.density, Material { density, ..default }),
    ];
    let flow = file.plastic.as_ref().map(|file| (file.span(), material.plastic));
    let mut faults: Vec<(Range<usize>, MaterialError)> = alone
        .into_iter()
        .filter_map(|(number, material)| Some((number.as_ref()?.span(), material.check().err()?)))
        .collect();
    if let Some((span, plastic)) = flow {
        faults.extend(Material { plastic, ..default }.check().err().map(|error| (span, error)));
    }
    if let Some(file) = &file.toughness {
        let toughness = material.toughness;
        let error = Material { toughness, ..default }.check().err();
        faults.extend(error.map(|error| (file.span(), error)));
    }
    if faults.is_empty() {
        faults.extend(material.check().err().map(|error| (span.clone(), error)));
    }
    let numbers_valid = faults.is_empty();
    for (span, error) in faults {
        problems.add(span, Fault::Material(error));
    }
    numbers_valid
}
