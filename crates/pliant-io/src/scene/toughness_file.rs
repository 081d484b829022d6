//! Settings of fracture, debris, explosions and force fields as they were typed.

use toml::Spanned;

use super::file::{Number, Triple, Word};
use super::table::tables;

tables! {
    /// `toughness = { … }` of a material.
    #[derive(Default)]
    struct StrengthFile {
        strength: Option<Number>,
        grain: Option<Triple>,
        ratio: Option<Number>,
    }

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

    /// `debris = { … }` of the world.
    #[derive(Default)]
    struct DebrisFile {
        most: Option<Spanned<i64>>,
        fate: Option<Word>,
    }

    /// `[[blast]]`.
    struct BlastFile {
        centre: Triple,
        radius: Number,
        impulse: Number,
        time: Option<Number>,
    }

    /// `[[field]]`: exactly one of `steady`, `towards` and `swirl`.
    struct FieldFile {
        centre: Option<Triple>,
        radius: Option<Number>,
        steady: Option<Triple>,
        towards: Option<Number>,
        swirl: Option<SwirlFile>,
        start: Option<Number>,
        end: Option<Number>,
    }

    /// `swirl = { … }`.
    struct SwirlFile {
        axis: Triple,
        strength: Number,
    }

    /// `fracture = { … }` of the world.
    #[derive(Default)]
    struct FractureFile {
        limit: Option<Spanned<i64>>,
        every: Option<Spanned<i64>>,
        seed: Option<Spanned<i64>>,
    }
}
