//! Transforms and motions, as they were typed.

use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple};

tables! {
    /// `transform = { … }`: scale, then rotation, then translation.
    #[derive(Default)]
    struct TransformFile {
        scale: Option<Number>,
        rotate: Option<RotateFile>,
        translate: Option<Triple>,
    }

    /// A rotation about an axis through a centre.
    struct RotateFile {
        centre: Option<Triple>,
        axis: Triple,
        angle_deg: Number,
    }

    /// One motion between two times.
    struct RampFile {
        start: Option<Number>,
        end: Option<Number>,
        translate: Option<Triple>,
        rotate: Option<RotateFile>,
    }
}
