//! Wind, explosions and force fields, as they were typed.

use toml::Spanned;

use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple};

tables! {
    /// `[wind]`.
    struct WindFile {
        velocity: Triple,
        density: Option<Number>,
        drag: Option<Number>,
        friction: Option<Number>,
        gusts: Option<Number>,
        gust_length: Option<Number>,
        seed: Option<Spanned<i64>>,
        start: Option<Number>,
        end: Option<Number>,
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
}
