//! Checks of the settings of fracture and debris.

use pliant::world::{DebrisConfig, Fate, FractureConfig};

use super::problems::Problems;
use crate::scene::file::world::{DebrisFile, FractureFile};

/// Checks `debris` of the world.
pub(crate) fn debris(file: &DebrisFile, problems: &mut Problems) -> Option<DebrisConfig> {
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
pub(crate) fn fracture(file: &FractureFile, problems: &mut Problems) -> FractureConfig {
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
