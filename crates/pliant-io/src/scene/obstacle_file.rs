//! What was typed of obstacles.

use serde::Deserialize;
use toml::Spanned;

use super::file::{HalfSpaceFile, Number, RampFile, RotateFile, SphereFile, Triple, Word};

/// `[[obstacle]]`: one shape, and how it moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObstacleFile {
    pub(super) plane: Option<HalfSpaceFile>,
    pub(super) sphere: Option<SphereFile>,
    #[serde(rename = "box")]
    pub(super) block: Option<SolidBoxFile>,
    pub(super) capsule: Option<CapsuleFile>,
    pub(super) surface: Option<SolidSurfaceFile>,
    #[serde(rename = "height-field")]
    pub(super) height_field: Option<HeightFieldFile>,
    pub(super) material: Option<Word>,
    pub(super) friction: Option<Number>,
    pub(super) colour: Option<Word>,
    #[serde(default)]
    pub(super) motion: Vec<Spanned<RampFile>>,
}

/// `box = { … }`: turned about its own centre unless another is given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolidBoxFile {
    pub(super) centre: Triple,
    pub(super) size: Triple,
    pub(super) rotate: Option<RotateFile>,
}

/// `capsule = { … }`: all within the radius of a straight line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CapsuleFile {
    pub(super) from: Triple,
    pub(super) to: Triple,
    pub(super) radius: Number,
}

/// `surface = { … }`: a surface of triangles from a file; scaled, then rotated, then moved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolidSurfaceFile {
    pub(super) file: Word,
    pub(super) scale: Option<Number>,
    pub(super) rotate: Option<RotateFile>,
    pub(super) translate: Option<Triple>,
}

/// `height-field = { … }`: heights on a grid, rows along x from small to large z.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeightFieldFile {
    pub(super) heights: Spanned<Vec<Vec<f64>>>,
    pub(super) size: Spanned<[f64; 2]>,
    pub(super) centre: Option<Triple>,
    pub(super) floor: Option<Number>,
    pub(super) rotate: Option<RotateFile>,
}
