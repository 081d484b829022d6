//! Methods, as they were typed.

use toml::Spanned;

use crate::scene::read::shorthand::FlagOr;
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Word};

tables! {
    /// `[method]` and `[body.method]`.
    #[derive(Default)]
    struct MethodFile {
        stepper: Option<Word>,
        solver: Option<Word>,
        tolerance: Option<Number>,
        max_iterations: Option<Spanned<i64>>,
        newton_iterations: Option<Spanned<i64>>,
        rotation: Option<Word>,
        mass: Option<Word>,
        rayleigh: Option<Spanned<RayleighFile>>,
        lazy: Option<Number>,
        adaptive: Option<Spanned<FlagOr<AdaptiveFile>>>,
        substeps: Option<Spanned<i64>>,
        sweeps: Option<Spanned<i64>>,
        projection: Option<Word>,
    }

    /// `rayleigh = { … }`.
    #[derive(Default)]
    struct RayleighFile {
        mass: Option<Number>,
        stiffness: Option<Number>,
    }

    /// `adaptive = { … }`.
    #[derive(Default)]
    struct AdaptiveFile {
        refine: Option<Number>,
        coarsen: Option<Number>,
        dwell: Option<Spanned<i64>>,
    }
}
