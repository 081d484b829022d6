//! Attachments and friction pairs, as they were typed.

use toml::Spanned;

use super::motion::RampFile;
use super::selection::Selector;
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `[[attachment]]`: a part of a body that is attached to a support.
    struct AttachmentFile {
        name: Word,
        body: Option<Word>,
        selector as "where": Spanned<Selector>,
        to: Option<Word>,
        motion: Vec<Spanned<RampFile>>,
        hinge: Option<HingeFile>,
        stiffness: Option<Number>,
        strength: Option<Number>,
    }

    /// `hinge = { … }`: the axis of rotation.
    struct HingeFile {
        through: Triple,
        axis: Triple,
    }

    /// `[[friction]]`: the coefficient between two bodies, materials or obstacles.
    struct FrictionFile {
        between: [Word; 2],
        coefficient: Number,
    }
}
