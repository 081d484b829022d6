//! Checks of fracture settings.

use glam::DVec3;
use pliant::body::{Seam, ToughnessMap};
use pliant::material::{Grain, Toughness};
use pliant::mesh::Mesh;
use pliant::world::{DebrisConfig, Fate, FractureConfig};
use toml::Spanned;

use super::fault::Fault;
use super::problems::Problems;
use super::shorthand::NumberOr;
use super::toughness_file::{DebrisFile, FractureFile, SeamFile, StrengthFile, ToughnessFile};

/// How the toughness of a body differs from that of its materials.
#[derive(Debug, Clone, PartialEq)]
pub struct ToughnessPlan {
    /// Maximum random variation between cells, as a fraction of their toughness.
    pub variation: f64,
    /// Seed of the random variation.
    pub seed: u64,
    /// Planes along which it is weaker.
    pub seams: Vec<Seam>,
}

impl ToughnessPlan {
    /// Returns the toughness of each cell of a mesh.
    pub(super) fn map(&self, mesh: &Mesh) -> ToughnessMap {
        let map = match self.variation > 0.0 {
            true => ToughnessMap::varied(mesh, self.variation, self.seed),
            false => ToughnessMap::default(),
        };
        ToughnessMap { seams: self.seams.clone(), ..map }
    }
}

/// Checks the toughness of a material: a number, a table with a grain, or the value of its preset. The values are
/// checked later, with those of the material.
pub(super) fn strength(
    file: &Spanned<NumberOr<StrengthFile>>,
    usual: Option<Toughness>,
    problems: &mut Problems,
) -> Option<Option<Toughness>> {
    let table = match file.get_ref() {
        NumberOr::Number(strength) => return Some(Some(Toughness::new(*strength))),
        NumberOr::Flag(false) => return Some(None),
        NumberOr::Flag(true) => &StrengthFile::default(),
        NumberOr::Table(table) => &**table,
    };
    match of_table(table, usual) {
        Ok(toughness) => Some(Some(toughness)),
        Err(fault) => {
            problems.add(file.span(), fault);
            None
        }
    }
}

/// Reads a toughness table; missing keys are as in `usual`, except for the direction of the fibres.
fn of_table(file: &StrengthFile, usual: Option<Toughness>) -> Result<Toughness, Fault> {
    let StrengthFile { strength, grain, ratio } = file;
    let fibrous = usual.and_then(|usual| usual.grain);
    let given = strength.as_ref().map(|strength| *strength.get_ref());
    let strength = given.or(usual.map(|usual| usual.strength)).ok_or(STRENGTH)?;
    let ratio = ratio.as_ref().map(|ratio| *ratio.get_ref());
    let grain = match (grain, ratio.or(fibrous.map(|grain| grain.ratio))) {
        (Some(along), Some(ratio)) => Some(Grain { along: DVec3::from(*along.get_ref()), ratio }),
        (None, None) => None,
        (None, Some(_)) if ratio.is_none() && given.is_some() => None,
        (None, Some(_)) if ratio.is_none() => return Err(FIBRES),
        _ => return Err(GRAIN),
    };
    Ok(Toughness { strength, grain })
}

const STRENGTH: Fault = Fault::Missing {
    what: "the tensile stress at which the material breaks, in Pa",
    example: "toughness = 5e7",
};

const FIBRES: Fault = Fault::Missing {
    what: "the direction of the fibres of this material",
    example: "toughness = { grain = [1, 0, 0] }",
};

const GRAIN: Fault = Fault::Missing {
    what: "one of `grain` and `ratio`",
    example: "toughness = { strength = 4e6, grain = [1, 0, 0], ratio = 20 }",
};

/// Checks `[body.toughness]`.
pub(super) fn toughness(file: &ToughnessFile, problems: &mut Problems) -> Option<ToughnessPlan> {
    let ToughnessFile { variation, seed, seam } = file;
    let variation = variation.as_ref().map_or(Some(0.0), |number| {
        let fits = |value: f64| (0.0..=0.95).contains(&value);
        problems.number("variation", number, "a fraction from 0 to 0.95", fits)
    });
    let seams: Vec<Option<Seam>> = seam.iter().map(|file| seam_of(file, problems)).collect();
    let seed = seed.as_ref().map_or(0, |seed| *seed.get_ref() as u64);
    Some(ToughnessPlan {
        variation: variation?,
        seed,
        seams: seams.into_iter().collect::<Option<_>>()?,
    })
}

fn seam_of(file: &SeamFile, problems: &mut Problems) -> Option<Seam> {
    let point = problems.position("point", &file.point);
    let normal = problems.direction("normal", &file.normal);
    let fits = |value: f64| (1e-6..=1.0).contains(&value);
    let share = problems.number("share", &file.share, "a fraction from 1e-6 to 1", fits);
    Some(Seam { point: point?, normal: normal?, share: share? })
}

/// Checks `debris` of the world.
pub(super) fn debris(file: &DebrisFile, problems: &mut Problems) -> Option<DebrisConfig> {
    let choices = Fate::ALL.map(|fate| (fate.name(), fate));
    let fate = file
        .fate
        .as_ref()
        .map_or(Some(Fate::default()), |word| problems.choice("fate", word, &choices));
    let expected = "a whole number from 0 to 1000000";
    let most = file
        .most
        .as_ref()
        .map_or(Some(64), |most| problems.whole("most", most, 0..1_000_001, expected));
    Some(DebrisConfig { most: most?, fate: fate? })
}

/// Checks `fracture` of the world.
pub(super) fn fracture(file: &FractureFile, problems: &mut Problems) -> FractureConfig {
    let default = FractureConfig::default();
    let most = "a whole number from 0 to 1000000";
    let limit = file.limit.as_ref().and_then(|n| problems.whole("limit", n, 0..1_000_001, most));
    let steps = "a whole number from 1 to 1000000";
    let every = file.every.as_ref().and_then(|n| problems.whole("every", n, 1..1_000_001, steps));
    FractureConfig {
        limit: limit.unwrap_or(default.limit),
        every: every.unwrap_or(default.every),
        seed: file.seed.as_ref().map_or(default.seed, |seed| *seed.get_ref() as u64),
    }
}
