//! The meaning of a scene file: checked numbers and known names, ready to build.

use std::ops::Range;
use std::path::PathBuf;

use glam::{DAffine3, DVec3};
use pliant::body::{Dilation, Motion, RigidConfig, Start};
use pliant::contact::{ContactConfig, Obstacle};
use pliant::geometry::Pose;
use pliant::material::Material;
use pliant::solver::MethodConfig;
use pliant::world::Bond;
use toml::Spanned;

use super::check_method::MethodSpans;
use super::check_toughness::ToughnessPlan;
use super::shape::MeshShape;
use super::splinters_plan::SplintersPlan;
use super::surface_plan::SurfacePlan;

/// The kind of solution of a scene: a motion or an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A motion, step by step.
    Dynamic,
    /// The static equilibrium of all forces.
    Static,
}

impl Mode {
    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Static => "static",
        }
    }
}

/// One body of a scene.
#[derive(Debug, Clone)]
pub struct BodyPlan {
    /// Name, unique in the scene.
    pub name: String,
    /// Colour in pictures: red, green, blue.
    pub colour: [u8; 3],
    /// The source of its mesh.
    pub mesh: MeshPlan,
    /// Material of every cell outside all regions.
    pub material: Material,
    /// Transform from the coordinates of the mesh to those of the scene.
    pub world_from_mesh: DAffine3,
    /// Initial velocity, in m/s.
    pub velocity: DVec3,
    /// Initial positions of its nodes; the rest positions if `None`.
    pub start: Option<Start>,
    /// Rest positions of its nodes, in m, from a committed rest shape; those of the mesh if `None`. Pins and regions
    /// still select in the shape of the mesh.
    pub rest: Option<Spanned<Vec<DVec3>>>,
    /// Degree of the quadrature rule; chosen by the kind of cell if `None`.
    pub quadrature: Option<usize>,
    /// How changes of volume are measured: at each quadrature point or as a mean over the cell.
    pub dilation: Dilation,
    /// Cells with their own material; where regions overlap, the last one wins.
    pub regions: Vec<RegionPlan>,
    /// Nodes that are fixed or follow a prescribed motion.
    pub pins: Vec<PinPlan>,
    /// Points that springs pull towards targets.
    pub pulls: Vec<PullPlan>,
    /// How it is advanced: the method of the scene, overridden by the method of the body.
    pub method: MethodConfig,
    /// Its contact settings.
    pub contact: ContactConfig,
    /// Settings of a rigid body; `None` if it deforms. A rigid body uses only the surface of its mesh, and
    /// of its material only the density and, in contact, Young's modulus.
    pub rigid: Option<RigidConfig>,
    /// How its toughness differs from that of its materials.
    pub toughness: Option<Spanned<ToughnessPlan>>,
    /// The splinters that are drawn if it breaks.
    pub splinters: Option<Spanned<SplintersPlan>>,
    /// Its pose if it is a copy of an earlier body.
    pub copy: Option<Copy>,
    pub(super) method_spans: MethodSpans,
    pub(super) span: Range<usize>,
}

/// Marks a body as a copy of another one at a different pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Copy {
    /// The copied body, as an index into the bodies of the scene.
    pub of: usize,
    /// Transform from the rest position of that body to the start position of this one.
    pub pose: Pose,
}

/// Copies of a body on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct CopiesPlan {
    /// Number of copies along each axis.
    pub count: [u32; 3],
    /// Spacing along each axis, in m.
    pub step: DVec3,
    /// Amplitude of the random offset, as a fraction of the spacing.
    pub jitter: f64,
    /// True if each copy is rotated at random.
    pub turn: bool,
    /// Seed of the random offsets and rotations.
    pub seed: u64,
}

/// A mesh to be generated or read, and how to process it.
#[derive(Debug, Clone)]
pub struct MeshPlan {
    /// Its source.
    pub source: MeshSource,
    /// Degree to raise the cells to; unchanged if `None`.
    pub degree: Option<usize>,
    /// Number of times each cell is subdivided.
    pub refine: u32,
    pub(super) span: Range<usize>,
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

/// Cells with their own material.
#[derive(Debug, Clone)]
pub struct RegionPlan {
    /// Name of the region: one of the mesh, or a new one if there is a selection.
    pub name: Spanned<String>,
    /// The selected cells, by their centres; the region of that name if `None`.
    pub selection: Option<Spanned<Selection>>,
    /// Material of these cells.
    pub material: Material,
}

/// Nodes that are fixed or follow a prescribed motion.
#[derive(Debug, Clone)]
pub struct PinPlan {
    /// The selected nodes or vertices.
    pub selection: Spanned<Selection>,
    /// The kind of points it selects: nodes, or vertices of the surface, which then constrain the nodes.
    pub on: PinOn,
    /// Their motion; an empty motion fixes them.
    pub motion: Motion,
}

/// The kind of points that a pin holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PinOn {
    /// Nodes of the cells.
    #[default]
    Nodes,
    /// Vertices of the surface, in the least-squares sense.
    Surface,
}

impl PinOn {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Nodes, Self::Surface];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Surface => "surface",
        }
    }
}

/// A point that a spring pulls towards a target.
#[derive(Debug, Clone)]
pub struct PullPlan {
    /// Rest position of the point, in m.
    pub at: Spanned<DVec3>,
    /// Motion of the target from there.
    pub motion: Motion,
    /// Spring stiffness, in N/m.
    pub stiffness: f64,
    /// Damping coefficient, in N·s/m.
    pub damping: f64,
}

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
    pub(super) span: Range<usize>,
}

/// A part of a body that is attached to a support.
#[derive(Debug, Clone)]
pub struct AttachmentPlan {
    /// Name, unique in the scene.
    pub name: String,
    /// Its body, as an index into the bodies of the scene.
    pub body: usize,
    /// The attached part of the body.
    pub selection: Spanned<Selection>,
    /// The support it is attached to.
    pub support: SupportPlan,
    /// The kind of bond.
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m; derived from the bodies if `None`.
    pub stiffness: Option<f64>,
    /// Force at which it breaks, in N; never if `None`.
    pub strength: Option<f64>,
}

/// The support of an attachment.
#[derive(Debug, Clone, PartialEq)]
pub enum SupportPlan {
    /// The fixed world.
    World,
    /// A frame with prescribed motion.
    Frame(Motion),
    /// Another body, as an index into the bodies of the scene.
    Body(usize),
}

/// Friction between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPlan {
    /// The numbers of the two materials in the world.
    pub materials: [u32; 2],
    /// Coulomb friction coefficient.
    pub coefficient: f64,
}

/// A part of a body, in scene coordinates at rest.
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// A node set, a region or a side (`x-` … `z+`) of this name.
    Named(String),
    /// All points in a box, faces included.
    Box {
        /// Lowest corner, in m.
        min: DVec3,
        /// Highest corner, in m.
        max: DVec3,
    },
    /// All points in a ball, surface included.
    Sphere {
        /// Centre, in m.
        centre: DVec3,
        /// Radius, in m.
        radius: f64,
    },
    /// All points on the side of a plane that the normal points to, plane included.
    HalfSpace {
        /// A point of the plane, in m.
        point: DVec3,
        /// Unit normal.
        normal: DVec3,
    },
    /// All points inside another closed surface, read from a file and transformed like the body's own surface.
    Enclosed(PathBuf),
    /// Vertices of the surface with this colour, and the leaves of voxels below them.
    Painted([f32; 3]),
}

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
    /// TimeStep between written frames: `1` writes every frame.
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
