//! Checks of the toughness of bodies.

use pliant::body::Seam;

use crate::scene::check::problems::Problems;
use crate::scene::file::toughness::{SeamFile, ToughnessFile};
use crate::scene::plan::toughness::ToughnessPlan;

/// Checks `[body.toughness]`.
pub(crate) fn toughness(file: &ToughnessFile, problems: &mut Problems) -> Option<ToughnessPlan> {
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
