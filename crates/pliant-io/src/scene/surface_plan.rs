//! A surface that is to become a body.

use std::path::PathBuf;

use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::TetConfig;
use pliant_mesher::voxels::VoxelConfig;
use toml::Spanned;

use super::plan::Selection;

/// A surface, and how a mesh is made for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfacePlan {
    /// Where the surface comes from.
    pub source: SurfaceSource,
    /// What is made of it.
    pub mesher: Mesher,
}

/// Where a surface comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceSource {
    /// A file; relative to the folder of the scene.
    File(PathBuf),
    /// A shape of the gallery, with edges of this length, in m.
    Figure(Figure, f64),
}

/// How a mesh is made for a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum Mesher {
    /// Bounding voxels.
    Voxels {
        /// Size, depth and degree.
        config: VoxelConfig,
        /// What cells make of the matter inside them.
        stiffness: Stiffness,
    },
    /// Tetrahedra, their boundary curved along the surface from degree 2 on.
    Tetrahedra {
        /// Size, degree and grading.
        config: TetConfig,
        /// Where they are smaller.
        finer: Vec<FinerPlan>,
    },
}

/// A place where tetrahedra are smaller than elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct FinerPlan {
    /// Where.
    pub selection: Spanned<Selection>,
    /// Longest edges there, in m.
    pub size: f64,
}

/// What cells make of the matter inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stiffness {
    /// They are stiff where matter is (Nesme et al. 2006, section 5.3).
    #[default]
    Distributed,
    /// They are evenly as stiff as they are full (section 5.1): to compare.
    Uniform,
}

impl Stiffness {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Distributed, Self::Uniform];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distributed => "distributed",
            Self::Uniform => "uniform",
        }
    }
}
