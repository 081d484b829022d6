//! Checks of contact settings.

use pliant::body::Touch;
use pliant::contact::ContactConfig;
use toml::Spanned;

use crate::scene::check::problems::Problems;
use crate::scene::file::body::ContactFile;
use crate::scene::problem::fault::Fault;

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

/// Checks what a body touches through; `None` if it is not given.
pub(crate) fn touch(file: &ContactFile, problems: &mut Problems) -> Option<Touch> {
    let choices =
        [("coarse", Touch::default()), ("drawn", Touch::Drawn), ("cells", Touch::Boundary)];
    let chosen = file.skin.as_ref().and_then(|word| problems.choice("skin", word, &choices));
    let Some(within) = &file.within else { return chosen };
    if matches!(chosen, Some(Touch::Drawn | Touch::Boundary)) {
        let when = "without `skin = \"coarse\"`";
        problems.add(within.span(), Fault::NoEffect { key: "within", when });
        return chosen;
    }
    let share = "a share of the diagonal of the body, from 0 to 0.5";
    let within = problems.number("within", within, share, |share| (0.0..=0.5).contains(&share));
    within.map(Touch::Coarse)
}

/// Returns the bit mask of the layers, which are counted from 1.
fn bits(list: &[Spanned<i64>], problems: &mut Problems) -> Option<u32> {
    let expected = "numbers from 1 to 32";
    list.iter().try_fold(0, |bits, layer| {
        Some(bits | 1 << (problems.whole("layers", layer, 1..33, expected)? - 1))
    })
}
