//! What was typed of splinters.

use serde::Deserialize;
use toml::Spanned;

use super::file::{Number, Triple, Word};

/// `[body.splinters]`: what is drawn of a body that breaks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplintersFile {
    pub(super) kind: Word,
    pub(super) count: Option<Spanned<i64>>,
    pub(super) size: Option<Number>,
    pub(super) length: Option<Number>,
    pub(super) width: Option<Number>,
    pub(super) height: Option<Number>,
    pub(super) depth: Option<Number>,
    pub(super) along: Option<Triple>,
    pub(super) colour: Option<Word>,
    pub(super) seed: Option<Spanned<i64>>,
}
