//! Checks of contact settings.

use pliant::contact::ContactConfig;
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::body::ContactFile;

/// Checks `contact = { … }` of a body.
pub(crate) fn contact(file: &ContactFile, problems: &mut Problems) -> Option<ContactConfig> {
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
