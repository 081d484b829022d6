//! The mesh of a body.

use std::ops::Range;
use std::path::PathBuf;

use super::shape::MeshShape;
use super::surface::SurfacePlan;

/// A mesh to be generated or read, and how to process it.
#[derive(Debug, Clone)]
pub struct MeshPlan {
    /// Its source.
    pub source: MeshSource,
    /// Degree to raise the cells to; unchanged if `None`.
    pub degree: Option<usize>,
    /// Number of times each cell is subdivided.
    pub refine: u32,
    pub(crate) span: Range<usize>,
}

/// The source of a mesh.
#[derive(Debug, Clone)]
pub enum MeshSource {
    /// A file, relative to the folder of the scene.
    File(PathBuf),
    /// A generator.
    Shape(MeshShape),
    /// A surface to make a mesh from.
    Surface(Box<SurfacePlan>),
}
