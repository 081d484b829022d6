//! The settings of the world, as they were typed.

use toml::Spanned;

use crate::scene::read::shorthand::FlagOr;
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `[world]`.
    #[derive(Default)]
    struct WorldFile {
        gravity: Option<Triple>,
        dt: Option<Number>,
        duration: Option<Number>,
        budget: Option<Number>,
        damping: Option<Number>,
        substeps: Option<Spanned<i64>>,
        contact: Option<Word>,
        sleep: Option<Spanned<FlagOr<SleepFile>>>,
        anneal: Option<Number>,
        fracture: Option<FractureFile>,
        debris: Option<DebrisFile>,
    }

    /// `sleep = { … }`.
    #[derive(Default)]
    struct SleepFile {
        speed: Option<Number>,
        steps: Option<Spanned<i64>>,
        force: Option<Number>,
    }

    /// `[statics]`.
    #[derive(Default)]
    struct StaticsFile {
        tolerance: Option<Number>,
        load_steps: Option<Spanned<i64>>,
        max_iterations: Option<Spanned<i64>>,
    }

    /// `fracture = { … }` of the world.
    #[derive(Default)]
    struct FractureFile {
        limit: Option<Spanned<i64>>,
        every: Option<Spanned<i64>>,
        seed: Option<Spanned<i64>>,
    }

    /// `debris = { … }` of the world.
    #[derive(Default)]
    struct DebrisFile {
        most: Option<Spanned<i64>>,
        fate: Option<Word>,
    }
}
