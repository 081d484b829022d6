//! Bodies, as they were typed.

use toml::Spanned;

use super::material::MaterialValue;
use super::mesh::MeshFile;
use super::method::MethodFile;
use super::motion::{RampFile, TransformFile};
use super::selection::Selector;
use super::splinters::SplintersFile;
use super::toughness::ToughnessFile;
use crate::scene::read::shorthand::FlagOr;
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `[[body]]`.
    struct BodyFile {
        name: Word,
        colour: Option<Word>,
        mesh: Option<Spanned<MeshFile>>,
        material: Option<Spanned<MaterialValue>>,
        transform: Option<TransformFile>,
        velocity: Option<Triple>,
        spin: Option<Triple>,
        start: Option<Spanned<StartFile>>,
        rest: Option<Spanned<Vec<[f64; 3]>>>,
        quadrature: Option<Spanned<i64>>,
        dilation: Option<Word>,
        method: Option<Spanned<MethodFile>>,
        contact: Option<Spanned<ContactFile>>,
        rigid: Option<Spanned<FlagOr<RigidFile>>>,
        copies: Option<Spanned<CopiesFile>>,
        toughness: Option<Spanned<ToughnessFile>>,
        splinters: Option<Spanned<SplintersFile>>,
        region: Vec<Spanned<RegionFile>>,
        pin: Vec<Spanned<PinFile>>,
        pull: Vec<Spanned<PullFile>>,
    }

    /// `contact = { … }`.
    #[derive(Default)]
    struct ContactFile {
        friction: Option<Number>,
        with_itself as "self": Option<bool>,
        skin: Option<Word>,
        within: Option<Number>,
        layers: Option<Vec<Spanned<i64>>>,
        meets: Option<Vec<Spanned<i64>>>,
        material: Option<Word>,
    }

    /// `rigid = { … }`.
    #[derive(Default)]
    struct RigidFile {
        mass: Option<Number>,
    }

    /// `copies = { … }`: copies of the body on a grid.
    struct CopiesFile {
        count: Spanned<[i64; 3]>,
        step: Triple,
        jitter: Option<Number>,
        turn: Option<bool>,
        seed: Option<i64>,
    }

    /// `start = { … }`.
    struct StartFile {
        scale: Option<Triple>,
        about: Option<Triple>,
        scatter: Option<i64>,
    }

    /// `[[body.region]]`: a material for some of the cells.
    struct RegionFile {
        name: Word,
        selector as "where": Option<Spanned<Selector>>,
        material: Option<Spanned<MaterialValue>>,
    }

    /// `[[body.pin]]`: nodes that are fixed or follow a prescribed motion.
    struct PinFile {
        selector as "where": Spanned<Selector>,
        on: Option<Word>,
        motion: Vec<Spanned<RampFile>>,
    }

    /// `[[body.pull]]`: a point that a spring pulls towards a target.
    struct PullFile {
        at: Triple,
        motion: Vec<Spanned<RampFile>>,
        stiffness: Number,
        damping: Option<Number>,
    }
}
