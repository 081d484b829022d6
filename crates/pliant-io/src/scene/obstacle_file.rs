//! What was typed of obstacles.

use toml::Spanned;

use super::file::{HalfSpaceFile, Number, RampFile, RotateFile, SphereFile, Triple, Word};
use super::table::tables;

tables! {
    /// `[[obstacle]]`: one shape, and how it moves.
    struct ObstacleFile {
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

    /// `box = { … }`: turned about its own centre unless another is given.
    struct SolidBoxFile {
        centre: Triple,
        size: Triple,
        rotate: Option<RotateFile>,
    }

    /// `capsule = { … }`: all within the radius of a straight line.
    struct CapsuleFile {
        from: Triple,
        to: Triple,
        radius: Number,
    }

    /// `surface = { … }`: a surface of triangles from a file; scaled, then rotated, then moved.
    struct SolidSurfaceFile {
        file: Word,
        scale: Option<Number>,
        rotate: Option<RotateFile>,
        translate: Option<Triple>,
    }

    /// `height-field = { … }`: heights on a grid, rows along x from small to large z.
    struct HeightFieldFile {
        heights: Spanned<Vec<Vec<f64>>>,
        size: Spanned<[f64; 2]>,
        centre: Option<Triple>,
        floor: Option<Number>,
        rotate: Option<RotateFile>,
    }
}
