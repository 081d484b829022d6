//! Obstacles and friction.

use std::ops::Range;
use std::path::PathBuf;

use glam::DAffine3;
use pliant::contact::Obstacle;

/// An obstacle for the bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstaclePlan {
    /// The checked obstacle; if there is a file, its shape is a placeholder until the file is read.
    pub obstacle: Obstacle,
    /// The file of its shape; `None` if the scene gives the shape in numbers.
    pub file: Option<SurfaceFile>,
    /// Colour in pictures: red, green, blue.
    pub colour: [u8; 3],
}

/// A file with a triangle surface.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceFile {
    /// Its path, relative to the folder of the scene.
    pub path: PathBuf,
    /// Transform from its coordinates to those of the scene.
    pub world_from_file: DAffine3,
    pub(crate) span: Range<usize>,
}

/// Friction between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPlan {
    /// The numbers of the two materials in the world.
    pub materials: [u32; 2],
    /// Coulomb friction coefficient.
    pub coefficient: f64,
}
