//! Points to track and files to write.

use std::path::PathBuf;

use glam::DVec3;
use toml::Spanned;

/// A material point to track.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Name, unique in the scene.
    pub name: String,
    /// Its body, as an index into the bodies of the scene.
    pub body: usize,
    /// Rest position, in m.
    pub at: Spanned<DVec3>,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its format.
    pub format: Format,
    /// Its path in the results folder; named after the scene if `None`.
    pub path: Option<PathBuf>,
    /// Interval between written frames, in frames: `1` writes every frame.
    pub every: u32,
    /// The fields written in addition to the shape.
    pub fields: Vec<Field>,
}

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Volume with fields, one file per frame and an index: ParaView.
    Vtu,
    /// Animated surface in one file: Blender, three.js.
    Glb,
    /// Surface, one file per frame.
    Obj,
    /// Surface with colours, one file per frame.
    Ply,
    /// Volume mesh, one file per frame: Gmsh.
    Msh,
    /// Animated picture: any browser.
    Png,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] = [Self::Vtu, Self::Glb, Self::Obj, Self::Ply, Self::Msh, Self::Png];

    /// The name in scene files, which is also the extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Glb => "glb",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Msh => "msh",
            Self::Png => "png",
        }
    }
}

/// A field that outputs can show in addition to the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Position minus rest position, in m.
    Displacement,
    /// Velocity, in m/s.
    Velocity,
    /// Von Mises stress, in Pa.
    VonMises,
    /// det F: the ratio of volume to rest volume.
    DetF,
    /// Degree of the interpolation: shows where adaptive degree uses its unknowns.
    Degree,
    /// Norm of the plastic strain.
    PlasticStrain,
    /// Ratio of stress or strain to the yield stress or yield strain.
    YieldShare,
    /// Ratio of the plastic strain to its limit.
    LimitShare,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 8] = [
        Self::Displacement,
        Self::Velocity,
        Self::VonMises,
        Self::DetF,
        Self::Degree,
        Self::PlasticStrain,
        Self::YieldShare,
        Self::LimitShare,
    ];

    /// The name in scene files and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Velocity => "velocity",
            Self::VonMises => "von-mises",
            Self::DetF => "det-f",
            Self::Degree => "degree",
            Self::PlasticStrain => "plastic-strain",
            Self::YieldShare => "yield-share",
            Self::LimitShare => "limit-share",
        }
    }
}
