//! Checks of the toughness of materials.

use glam::DVec3;
use pliant::material::{Grain, Toughness};
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::material::StrengthFile;
use crate::scene::problem::fault::Fault;
use crate::scene::read::shorthand::NumberOr;

/// Checks the toughness of a material: a number, a table with a grain, or the value of its preset. The values are
/// checked later, with those of the material.
pub(crate) fn strength(
    file: &Spanned<NumberOr<StrengthFile>>,
    preset: Option<Toughness>,
    problems: &mut Problems,
) -> Option<Option<Toughness>> {
    let table = match file.get_ref() {
        NumberOr::Number(strength) => return Some(Some(Toughness::new(*strength))),
        NumberOr::Flag(false) => return Some(None),
        NumberOr::Flag(true) => &StrengthFile::default(),
        NumberOr::Table(table) => &**table,
    };
    match of_table(table, preset) {
        Ok(toughness) => Some(Some(toughness)),
        Err(fault) => {
            problems.add(file.span(), fault);
            None
        }
    }
}

/// Reads a toughness table; missing keys are as in `preset`, except for the direction of the fibres.
fn of_table(file: &StrengthFile, preset: Option<Toughness>) -> Result<Toughness, Fault> {
    let StrengthFile { strength, grain, ratio } = file;
    let fibrous = preset.and_then(|preset| preset.grain);
    let given = strength.as_ref().map(|strength| *strength.get_ref());
    let strength = given.or(preset.map(|preset| preset.strength)).ok_or(MISSING_STRENGTH)?;
    let ratio = ratio.as_ref().map(|ratio| *ratio.get_ref());
    let grain = match (grain, ratio.or(fibrous.map(|grain| grain.ratio))) {
        (Some(along), Some(ratio)) => Some(Grain { along: DVec3::from(*along.get_ref()), ratio }),
        (None, None) => None,
        (None, Some(_)) if ratio.is_none() && given.is_some() => None,
        (None, Some(_)) if ratio.is_none() => return Err(MISSING_FIBRES),
        _ => return Err(MISSING_GRAIN),
    };
    Ok(Toughness { strength, grain })
}

const MISSING_STRENGTH: Fault = Fault::Missing {
    what: "the tensile stress at which the material breaks, in Pa",
    example: "toughness = 5e7",
};

const MISSING_FIBRES: Fault = Fault::Missing {
    what: "the direction of the fibres of this material",
    example: "toughness = { grain = [1, 0, 0] }",
};

const MISSING_GRAIN: Fault = Fault::Missing {
    what: "one of `grain` and `ratio`",
    example: "toughness = { strength = 4e6, grain = [1, 0, 0], ratio = 20 }",
};
