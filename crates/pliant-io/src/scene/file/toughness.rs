//! The toughness of bodies, as it was typed.

use toml::Spanned;

use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple};

tables! {
    /// `[body.toughness]`: how the toughness of a body differs from that of its materials.
    #[derive(Default)]
    struct ToughnessFile {
        variation: Option<Number>,
        seed: Option<Spanned<i64>>,
        seam: Vec<SeamFile>,
    }

    /// `[[body.toughness.seam]]`: a plane along which the body is weaker.
    struct SeamFile {
        point: Triple,
        normal: Triple,
        share: Number,
    }
}
