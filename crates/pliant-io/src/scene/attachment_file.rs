//! What was typed of attachments and of friction between two.

use toml::Spanned;

use super::file::{Number, RampFile, Triple, Word};
use super::shorthand::Selector;
use super::table::tables;

tables! {
    /// `[[attachment]]`: a part of a body that something holds.
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

    /// `hinge = { … }`: the axis about which all can turn.
    struct HingeFile {
        through: Triple,
        axis: Triple,
    }

    /// `[[friction]]`: between two bodies, materials or obstacles.
    struct FrictionFile {
        between: [Word; 2],
        coefficient: Number,
    }
}
