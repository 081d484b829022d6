//! A surface to make a body from.

use std::path::PathBuf;

use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::TetConfig;
use pliant_mesher::voxels::VoxelConfig;
use toml::Spanned;

use super::selection::Selection;

/// A surface, and how to make a mesh from it.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfacePlan {
    /// The source of the surface.
    pub source: SurfaceSource,
    /// The mesher.
    pub mesher: Mesher,
}

/// The source of a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceSource {
    /// A file, relative to the folder of the scene.
    File(PathBuf),
    /// A shape of the gallery, with this edge length, in m.
    Figure(Figure, f64),
}

/// How a mesh is made from a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum Mesher {
    /// Tetrahedra if they follow the surface, else voxels.
    Automatic {
        /// The approximate number of cells.
        cells: usize,
        /// The degree of the cells, if it is given.
        degree: Option<usize>,
    },
    /// Bounding voxels.
    Voxels {
        /// Size, depth and degree of the cells.
        config: VoxelConfig,
        /// The stiffness model of partly filled cells.
        stiffness: Stiffness,
    },
    /// Tetrahedra; from degree 2 on their boundary is curved along the surface.
    Tetrahedra {
        /// Size, degree and grading of the cells.
        config: TetConfig,
        /// Places with smaller cells.
        finer: Vec<FinerPlan>,
    },
}

/// A place where tetrahedra are smaller than elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct FinerPlan {
    /// The place.
    pub selection: Spanned<Selection>,
    /// Maximum edge length there, in m.
    pub size: f64,
}

/// The stiffness model of partly filled cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stiffness {
    /// Stiffness is integrated over the filled part of a cell (Nesme et al. 2006, section 5.3).
    #[default]
    Distributed,
    /// Stiffness is uniform in a cell, scaled by its filled fraction (section 5.1); for comparison.
    Uniform,
}

impl Stiffness {
    /// Both models.
    pub const ALL: [Self; 2] = [Self::Distributed, Self::Uniform];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distributed => "distributed",
            Self::Uniform => "uniform",
        }
    }
}
