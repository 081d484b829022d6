//! What was typed of how bodies break.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Number, Triple, Word};

/// `toughness = { … }` of a material.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrengthFile {
    pub(super) strength: Option<Number>,
    pub(super) grain: Option<Triple>,
    pub(super) ratio: Option<Number>,
}

/// `[body.toughness]`: where a body is tougher, or less so, than its materials.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToughnessFile {
    pub(super) variation: Option<Number>,
    pub(super) seed: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) seam: Vec<SeamFile>,
}

/// `[[body.toughness.seam]]`: a plane along which it is scored.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeamFile {
    pub(super) point: Triple,
    pub(super) normal: Triple,
    pub(super) share: Number,
}

/// `debris = { … }` of the world.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DebrisFile {
    pub(super) most: Option<Spanned<i64>>,
    pub(super) fate: Option<Word>,
}

/// `[[blast]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlastFile {
    pub(super) centre: Triple,
    pub(super) radius: Number,
    pub(super) impulse: Number,
    pub(super) time: Option<Number>,
}

/// `[[field]]`: of `steady`, `towards` and `swirl` one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldFile {
    pub(super) centre: Option<Triple>,
    pub(super) radius: Option<Number>,
    pub(super) steady: Option<Triple>,
    pub(super) towards: Option<Number>,
    pub(super) swirl: Option<SwirlFile>,
    pub(super) start: Option<Number>,
    pub(super) end: Option<Number>,
}

/// `swirl = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SwirlFile {
    pub(super) axis: Triple,
    pub(super) strength: Number,
}

/// `fracture = { … }` of the world.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FractureFile {
    pub(super) limit: Option<Spanned<i64>>,
    pub(super) every: Option<Spanned<i64>>,
    pub(super) seed: Option<Spanned<i64>>,
}
