//! What was typed of how bodies break.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Number, Triple};

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

/// `fracture = { … }` of the world.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FractureFile {
    pub(super) limit: Option<Spanned<i64>>,
    pub(super) every: Option<Spanned<i64>>,
    pub(super) seed: Option<Spanned<i64>>,
}
