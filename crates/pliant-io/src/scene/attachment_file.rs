//! What was typed of attachments and of friction between two.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Number, RampFile, Triple, Word};
use super::shorthand::Selector;

/// `[[attachment]]`: a part of a body that something holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AttachmentFile {
    pub(super) name: Word,
    pub(super) body: Option<Word>,
    #[serde(rename = "where")]
    pub(super) selector: Spanned<Selector>,
    pub(super) to: Option<Word>,
    #[serde(default)]
    pub(super) motion: Vec<Spanned<RampFile>>,
    pub(super) hinge: Option<HingeFile>,
    pub(super) stiffness: Option<Number>,
    pub(super) strength: Option<Number>,
}

/// `hinge = { … }`: the axis about which all can turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HingeFile {
    pub(super) through: Triple,
    pub(super) axis: Triple,
}

/// `[[friction]]`: between two bodies, materials or obstacles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrictionFile {
    pub(super) between: [Word; 2],
    pub(super) coefficient: Number,
}
