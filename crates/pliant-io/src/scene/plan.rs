//! What a scene file means: checked numbers, known names, ready to be built.

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

/// Whether a scene asks for a motion or for an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A motion, step by step.
    Dynamic,
    /// The state in which all forces balance.
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
    /// Where its mesh comes from.
    pub mesh: MeshPlan,
    /// Material of every cell that no region claims.
    pub material: Material,
    /// From the coordinates of the mesh to those of the scene.
    pub world_from_mesh: DAffine3,
    /// Velocity at the start, in m/s.
    pub velocity: DVec3,
    /// Where its nodes are at the start; at rest if none.
    pub start: Option<Start>,
    /// Where its nodes rest, in m, in a shape that was committed; as its mesh has them if none. Pins and regions speak of the
    /// shape of the mesh all the same.
    pub rest: Option<Spanned<Vec<DVec3>>>,
    /// Degree of the quadrature rule; by kind of cell if none.
    pub quadrature: Option<usize>,
    /// Where changes of volume are counted.
    pub dilation: Dilation,
    /// Cells with a material of their own; where two overlap, the later one counts.
    pub regions: Vec<RegionPlan>,
    /// Nodes that are held or led.
    pub pins: Vec<PinPlan>,
    /// Points that are drawn towards targets.
    pub pulls: Vec<PullPlan>,
    /// How it is advanced: what the scene says, and on top of it what the body says.
    pub method: MethodConfig,
    /// How it touches others.
    pub contact: ContactConfig,
    /// Whether it does not deform: then of its mesh only the surface counts, and of its material the
    /// density, and the stiffness of what touches it.
    pub rigid: Option<RigidConfig>,
    /// Where it is tougher, or less so, than its materials.
    pub toughness: Option<Spanned<ToughnessPlan>>,
    /// What is drawn of it if it breaks.
    pub splinters: Option<Spanned<SplintersPlan>>,
    /// Where it stands if it is a copy of a body before it.
    pub copy: Option<Copy>,
    pub(super) method_spans: MethodSpans,
    pub(super) span: Range<usize>,
}

/// A body that is another one again, elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Copy {
    /// That other one, by its position in the scene.
    pub of: usize,
    /// From where that one rests to where this one starts.
    pub pose: Pose,
}

/// Copies of a body, on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct CopiesPlan {
    /// How many along each axis.
    pub count: [u32; 3],
    /// From one to the next along each axis, in m.
    pub step: DVec3,
    /// Share of a step by which each is moved at random.
    pub jitter: f64,
    /// Whether each is turned at random.
    pub turn: bool,
    /// Chooses what is random.
    pub seed: u64,
}

/// A mesh to be made or read, and what is then done with it.
#[derive(Debug, Clone)]
pub struct MeshPlan {
    /// Where it comes from.
    pub source: MeshSource,
    /// Degree to raise the cells to; as they come if none.
    pub degree: Option<usize>,
    /// How many times each cell is divided.
    pub refine: u32,
    pub(super) span: Range<usize>,
}

/// Where a mesh comes from.
#[derive(Debug, Clone)]
pub enum MeshSource {
    /// A file; relative to the folder of the scene.
    File(PathBuf),
    /// A generator.
    Shape(MeshShape),
    /// A surface that a mesh is made for.
    Surface(Box<SurfacePlan>),
}

/// Cells with a material of their own.
#[derive(Debug, Clone)]
pub struct RegionPlan {
    /// Name of the region: one of the mesh, or a new one if there is a selection.
    pub name: Spanned<String>,
    /// Which cells, by their centres; the region of that name if none.
    pub selection: Option<Spanned<Selection>>,
    /// Their material.
    pub material: Material,
}

/// Nodes that are held or led.
#[derive(Debug, Clone)]
pub struct PinPlan {
    /// Which.
    pub selection: Spanned<Selection>,
    /// Whether it selects nodes, or vertices of the surface that then lead the nodes.
    pub on: PinOn,
    /// How they move; an empty motion holds them.
    pub motion: Motion,
}

/// What a pin holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PinOn {
    /// Nodes of the cells.
    #[default]
    Nodes,
    /// Vertices of the surface, in the least-squares sense.
    Surface,
}

impl PinOn {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Nodes, Self::Surface];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Surface => "surface",
        }
    }
}

/// A point that is drawn towards a target.
#[derive(Debug, Clone)]
pub struct PullPlan {
    /// Where the point is at rest, in m.
    pub at: Spanned<DVec3>,
    /// Where the target goes from there.
    pub motion: Motion,
    /// Force per distance, in N/m.
    pub stiffness: f64,
    /// Force per speed, in N·s/m.
    pub damping: f64,
}

/// Something that bodies run into.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstaclePlan {
    /// The obstacle, checked; its shape is still to be read if there is a file.
    pub obstacle: Obstacle,
    /// Where its shape comes from, if not from numbers.
    pub file: Option<SurfaceFile>,
    /// Colour in pictures: red, green, blue.
    pub colour: [u8; 3],
}

/// A file with a surface of triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceFile {
    /// Its path; relative to the folder of the scene.
    pub path: PathBuf,
    /// From its coordinates to those of the scene.
    pub world_from_file: DAffine3,
    pub(super) span: Range<usize>,
}

/// A part of a body that something holds.
#[derive(Debug, Clone)]
pub struct AttachmentPlan {
    /// Name, unique in the scene.
    pub name: String,
    /// Its body, by position in the scene.
    pub body: usize,
    /// Which part of it.
    pub selection: Spanned<Selection>,
    /// What holds it.
    pub support: SupportPlan,
    /// How.
    pub bond: Bond,
    /// Stiffness of all springs together, in N/m; by the bodies if none.
    pub stiffness: Option<f64>,
    /// Force beyond which it lets go, in N; never if none.
    pub strength: Option<f64>,
}

/// What holds a part of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum SupportPlan {
    /// Nothing that ever moves.
    World,
    /// A frame that moves as prescribed.
    Frame(Motion),
    /// Another body, by position in the scene.
    Body(usize),
}

/// Friction between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPlan {
    /// Their numbers in the world.
    pub materials: [u32; 2],
    /// Coulomb's coefficient.
    pub coefficient: f64,
}

/// A part of a body, in the coordinates of the scene at rest.
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// A node set, a region or a side (`x-` … `z+`) of this name.
    Named(String),
    /// All inside a box, faces included.
    Box {
        /// Lowest corner, in m.
        min: DVec3,
        /// Highest corner, in m.
        max: DVec3,
    },
    /// All inside a ball, surface included.
    Sphere {
        /// Centre, in m.
        centre: DVec3,
        /// Radius, in m.
        radius: f64,
    },
    /// All on the side of a plane to which the normal points, the plane included.
    HalfSpace {
        /// A point of the plane, in m.
        point: DVec3,
        /// Unit normal.
        normal: DVec3,
    },
    /// All inside another closed surface, read from a file; it is moved as the body's own is.
    Enclosed(PathBuf),
    /// Where vertices of the surface have this colour, and what lies below them; for voxels alone.
    Painted([f32; 3]),
}

/// A material point to be followed.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Name, unique in the scene.
    pub name: String,
    /// Its body, by position in the scene.
    pub body: usize,
    /// Where it is at rest, in m.
    pub at: Spanned<DVec3>,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its format.
    pub format: Format,
    /// Its path in the folder of the results; named after the scene if none.
    pub path: Option<PathBuf>,
    /// Every how many frames.
    pub every: u32,
    /// What is shown of the state besides its shape.
    pub fields: Vec<Field>,
}

/// Formats of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Volume with fields, a file per frame and an index: ParaView.
    Vtu,
    /// Animated surface in one file: Blender, three.js.
    Glb,
    /// Surface, a file per frame.
    Obj,
    /// Surface with colours, a file per frame.
    Ply,
    /// Volume mesh, a file per frame: Gmsh.
    Msh,
    /// Moving picture: any browser.
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

/// What can be shown of a state besides its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// Position less rest position, in m.
    Displacement,
    /// Velocity, in m/s.
    Velocity,
    /// Von Mises stress, in Pa.
    VonMises,
    /// det F: the ratio of volume to rest volume.
    DetF,
    /// Degree of the interpolation: where adaptive degree spends its unknowns.
    Degree,
    /// Norm of the plastic strain: how far matter has flowed.
    PlasticStrain,
    /// How much of the yield stress or strain is reached.
    YieldShare,
    /// How much of the largest plastic strain is reached.
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
