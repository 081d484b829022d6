//! Splinters, as they were typed.

use toml::Spanned;

use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `[body.splinters]`: the splinters that are drawn when a body breaks.
    struct SplintersFile {
        kind: Word,
        count: Option<Spanned<i64>>,
        size: Option<Number>,
        length: Option<Number>,
        width: Option<Number>,
        height: Option<Number>,
        depth: Option<Number>,
        along: Option<Triple>,
        colour: Option<Word>,
        seed: Option<Spanned<i64>>,
    }
}
