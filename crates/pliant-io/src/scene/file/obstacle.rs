//! Obstacles, as they were typed.

use toml::Spanned;

use super::motion::{RampFile, RotateFile};
use super::selection::{HalfSpaceFile, SphereFile};
use crate::scene::read::table::tables;
use crate::scene::read::value::{Number, Triple, Word};

tables! {
    /// `[[obstacle]]`: one shape and its motion.
    struct ObstacleFile {
        name: Option<Word>,
        plane: Option<HalfSpaceFile>,
        sphere: Option<SphereFile>,
        block as "box": Option<SolidBoxFile>,
        capsule: Option<CapsuleFile>,
        surface: Option<SolidSurfaceFile>,
        height_field as "height-field": Option<HeightFieldFile>,
        material: Option<Word>,
        friction: Option<Number>,
        colour: Option<Word>,
        motion: Vec<Spanned<RampFile>>,
    }

    /// `box = { … }`: rotates about its own centre unless another centre is given.
    struct SolidBoxFile {
        centre: Triple,
        size: Triple,
        rotate: Option<RotateFile>,
    }

    /// `capsule = { … }`: all points within `radius` of a segment.
    struct CapsuleFile {
        from: Triple,
        to: Triple,
        radius: Number,
    }

    /// `surface = { … }`: a triangle surface from a file; scaled, then rotated, then translated.
    struct SolidSurfaceFile {
        file: Word,
        scale: Option<Number>,
        rotate: Option<RotateFile>,
        translate: Option<Triple>,
    }

    /// `height-field = { … }`: heights on a grid; a row runs along x, and the rows are in order of increasing z.
    struct HeightFieldFile {
        heights: Spanned<Vec<Vec<f64>>>,
        size: Spanned<[f64; 2]>,
        centre: Option<Triple>,
        floor: Option<Number>,
        rotate: Option<RotateFile>,
    }
}
