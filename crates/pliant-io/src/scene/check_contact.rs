//! Checks of the contact settings of a body, and of its copies.

use glam::DVec3;
use pliant::body::RigidConfig;
use pliant::contact::ContactConfig;
use pliant::material::Material;
use toml::Spanned;

use super::fault::Fault;
use super::file::{ContactFile, CopiesFile, RigidFile};
use super::plan::CopiesPlan;
use super::problems::Problems;
use super::shorthand::FlagOr;

/// Checks `contact = { … }` of a body.
pub(super) fn contact(file: &ContactFile, problems: &mut Problems) -> Option<ContactConfig> {
    let default = ContactConfig::default();
    let friction = file.friction.as_ref().map_or(Some(default.friction), |friction| {
        problems.number("friction", friction, "a number from 0 to 100", |mu| {
            (0.0..=100.0).contains(&mu)
        })
    });
    let layers = file.layers.as_ref().map_or(Some(default.layers), |list| bits(list, problems));
    let meets = file.meets.as_ref().map_or(Some(default.meets), |list| bits(list, problems));
    let with_itself = file.with_itself.unwrap_or(default.with_itself);
    let (layers, meets, material) = (layers?, meets?, default.material);
    Some(ContactConfig { friction: friction?, with_itself, layers, meets, material })
}

/// Returns the bit mask of the layers, which are counted from 1.
fn bits(list: &[Spanned<i64>], problems: &mut Problems) -> Option<u32> {
    let expected = "numbers from 1 to 32";
    list.iter().try_fold(0, |bits, layer| {
        Some(bits | 1 << (problems.whole("layers", layer, 1..33, expected)? - 1))
    })
}

/// Checks `rigid = true` or `rigid = { … }`: a rigid body of this material.
pub(super) fn rigid(
    file: &FlagOr<RigidFile>,
    material: &Material,
    problems: &mut Problems,
) -> Option<RigidConfig> {
    if let FlagOr::Flag(false) = file {
        return None;
    }
    let mass = file.table().and_then(|file| file.mass.as_ref());
    let mass = mass.and_then(|mass| problems.positive("mass", mass));
    Some(RigidConfig { density: material.density, mass, young: material.young })
}

/// Maximum number of copies of one body.
const MOST_COPIES: i64 = 100_000;

/// Checks `copies = { … }`.
pub(super) fn copies(file: &Spanned<CopiesFile>, problems: &mut Problems) -> Option<CopiesPlan> {
    let CopiesFile { count, step, jitter, turn, seed } = file.get_ref();
    let product = count.get_ref().iter().try_fold(1i64, |product, n| product.checked_mul(*n));
    let fits = count.get_ref().iter().all(|n| *n >= 1)
        && product.is_some_and(|product| product <= MOST_COPIES);
    if !fits {
        let value = count.get_ref().map(|n| n as f64);
        let expected = "three whole numbers of at least 1 with a product of at most 100000";
        let fault = Fault::BadTriple { key: "count", value, expected };
        problems.add(count.span(), fault);
        return None;
    }
    let step: DVec3 = problems.position("step", step)?;
    let share = "a number from 0 to 1, as a fraction of `step`";
    let jitter = jitter.as_ref().map_or(Some(0.0), |jitter| {
        problems.number("jitter", jitter, share, |share| (0.0..=1.0).contains(&share))
    })?;
    let (turn, seed) = (turn.unwrap_or(false), seed.unwrap_or(0) as u64);
    Some(CopiesPlan { count: count.get_ref().map(|n| n as u32), step, jitter, turn, seed })
}
