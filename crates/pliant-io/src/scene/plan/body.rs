//! One body of a scene.

use std::ops::Range;

use glam::{DAffine3, DVec3};
use pliant::body::{Dilation, InitialShape, Motion, RigidConfig, Touch};
use pliant::contact::ContactConfig;
use pliant::material::Material;
use pliant::solver::MethodConfig;
use toml::Spanned;

use super::copies::Copy;
use super::mesh::MeshPlan;
use super::method_spans::MethodSpans;
use super::selection::Selection;
use super::splinters::SplintersPlan;
use super::toughness::ToughnessPlan;

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
    /// Initial velocity of its centre of mass, in m/s.
    pub velocity: DVec3,
    /// Initial angular velocity about its centre of mass, in rad/s.
    pub spin: DVec3,
    /// Initial positions of its nodes; the rest positions if `None`.
    pub start: Option<InitialShape>,
    /// Rest positions of its nodes, in m, from a committed rest shape; those of the mesh if `None`. Pins and regions
    /// still select in the shape of the mesh.
    pub rest: Option<Spanned<Vec<DVec3>>>,
    /// Degree of the quadrature rule; chosen by the kind of cell if `None`.
    pub quadrature: Option<usize>,
    /// How changes of volume are measured: at each quadrature point or as a mean over the cell.
    pub dilation: Option<Dilation>,
    /// Cells with their own material; where regions overlap, the last one wins.
    pub regions: Vec<RegionPlan>,
    /// Nodes that are fixed or follow a prescribed motion.
    pub pins: Vec<PinPlan>,
    /// Points that springs pull towards targets.
    pub pulls: Vec<PullPlan>,
    /// How it is advanced: the method of the scene, overridden by the method of the body.
    pub method: MethodConfig,
    /// What it touches through; `None` for the default.
    pub touch: Option<Touch>,
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
    pub(crate) method_spans: MethodSpans,
    pub(crate) span: Range<usize>,
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
