//! Shapes with a mesh generator, as they were typed.

use toml::Spanned;

use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `box = { … }`.
    struct BoxFile {
        origin: Option<Triple>,
        size: Option<Triple>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
        jitter: Option<Number>,
        seed: Option<i64>,
    }

    /// `ball = { … }`.
    struct BallFile {
        centre: Option<Triple>,
        radius: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `torus = { … }`.
    struct TorusFile {
        centre: Option<Triple>,
        ring_radius: Option<Number>,
        tube_radius: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        around: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `curved-bar = { … }`.
    struct CurvedBarFile {
        centre: Option<Triple>,
        radius: Option<Number>,
        angle_deg: Option<Number>,
        section: Option<[Number; 2]>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
    }

    /// `helix = { … }`.
    struct HelixFile {
        centre: Option<Triple>,
        coil_radius: Option<Number>,
        wire_radius: Option<Number>,
        pitch: Option<Number>,
        turns: Option<Number>,
        cells: Option<Spanned<i64>>,
        layers: Option<Spanned<i64>>,
        along: Option<Spanned<i64>>,
        split: Option<Word>,
    }

    /// `fin = { … }`.
    struct FinFile {
        base: Option<Triple>,
        height: Option<Number>,
        chord: Option<Number>,
        thickness: Option<Number>,
        cells: Option<Spanned<[i64; 3]>>,
        split: Option<Word>,
    }

    /// `sculpture = { … }`.
    struct SculptureFile {
        base: Option<Triple>,
        height: Option<Number>,
        level: Option<Spanned<i64>>,
        split: Option<Word>,
    }
}
