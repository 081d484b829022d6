//! Figures about a tetrahedral mesh.

use glam::DVec3;
use pliant::mesh::{Face, Mesh};
use pliant_kernels::math::parallel_map;

use super::curved_quality::CurvedQuality;
use super::face_samples::FaceSamples;
use super::farthest::Farthest;
use super::lost_parts::ThinPart;
use super::solid::Solid;
use super::topology::Topology;

/// Distances of a boundary to the surface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distances {
    /// The mean over the area of the boundary, in m.
    pub mean: f64,
    /// The largest distance found, in m.
    pub largest: f64,
}

impl Distances {
    /// Converts to other units.
    pub(super) fn scaled(self, scale: f64) -> Self {
        Self { mean: self.mean * scale, largest: self.largest * scale }
    }
}

/// Figures about a tetrahedral mesh and its surface.
#[derive(Debug, Clone, PartialEq)]
pub struct TetReport {
    /// The length of the long edges at flat parts of the surface, in m.
    pub size: f64,
    /// The number of cells, all proved valid.
    pub cells: usize,
    /// The number of cells asked for; `None` if their length was given.
    pub asked_cells: Option<usize>,
    /// The distance within which surface and boundary were to be, in m; `None` for any.
    pub within: Option<f64>,
    /// The point of the surface farthest from the boundary of the cells, within 2 % of [`Self::within`] (of 3 % of the
    /// diagonal if that is `None`).
    pub surface_to_mesh: Farthest,
    /// The point of the boundary of the cells farthest from the surface, without holes, of those sampled.
    pub mesh_to_surface: Farthest,
    /// Parts of the surface farther from the cells than [`Self::within`].
    pub lost_parts: Vec<ThinPart>,
    /// Parts that took finer cells than asked for, because cells of that size would have lost them.
    pub thin_parts: Vec<ThinPart>,
    /// The length of the shortest edge before curving, in m.
    pub shortest_edge: f64,
    /// Shells and handles of the surface; `None` if it is open, if edges have more than two triangles, or if parts pass
    /// through each other.
    pub surface_topology: Option<Topology>,
    /// Shells and handles of the boundary of the cells; `None` if parts of it touch along an edge.
    pub topology: Option<Topology>,
    /// The number of control points.
    pub nodes: usize,
    /// The number of components connected by faces.
    pub pieces: usize,
    /// The number of cells dropped: crumbs beyond necks too thin for cells of this size.
    pub dropped_cells: usize,
    /// The smallest and the largest dihedral angle before curving, in rad.
    pub dihedral_angles: [f64; 2],
    /// The volume of the mesh, in m³.
    pub volume: f64,
    /// The volume that the surface encloses, in m³. If the surface is open, that of the cone from the centre of its
    /// bounding box.
    pub surface_volume: f64,
    /// The distance of the straight boundary to the surface, without holes.
    pub straight: Distances,
    /// The distance of the curved boundary to the surface, without holes.
    pub curved: Distances,
    /// The fraction of the boundary that lies over holes, 0 to 1.
    pub over_holes: f64,
    /// The quality of the cells after curving.
    pub curved_quality: CurvedQuality,
    /// The number of control points that were not moved all the way to the surface, since a cell would have become
    /// invalid.
    pub held_back: usize,
    /// The number of corners moved onto sharp edges.
    pub on_sharp_edges: usize,
    /// The number of surface edges with only one triangle.
    pub open_edges: usize,
    /// The number of triangles that enclose nothing.
    pub sheet_triangles: usize,
    /// The thickness given to those triangles, in m; `None` if they were left out or there are none.
    pub sheet_thickness: Option<f64>,
    /// The number of surface vertices outside the mesh, which hang on its boundary.
    pub vertices_outside: usize,
    /// The largest distance of a surface vertex outside the mesh to it, in m: the length of ears and wings that the
    /// lattice lost.
    pub farthest_vertex: f64,
}

/// The distances of a mesh's boundary to the solid's, the fraction of it over holes, and its farthest point.
pub(super) fn distances(mesh: &Mesh, faces: &[Face], solid: &Solid) -> (Distances, f64, DVec3) {
    /// Pieces of each side of a face: 64 points on each face.
    const PIECES: usize = 8;
    let samples = FaceSamples::new(mesh.blocks[0].kind, PIECES);
    let measured: Vec<Measured> =
        parallel_map(faces, |face| Measured::new(mesh, face, &samples, solid));
    let sum = |part: fn(&Measured) -> f64| measured.iter().map(part).sum::<f64>();
    let (area, covered) = (sum(|m| m.area), sum(|m| m.covered));
    let mean = if covered > 0.0 { sum(|m| m.integral) / covered } else { 0.0 };
    let farthest = measured.iter().map(|m| m.farthest);
    let Farthest { distance: largest, at } =
        farthest.fold(Farthest::default(), Farthest::or_farther);
    let over_holes = if area > 0.0 { (1.0 - covered / area).max(0.0) } else { 0.0 };
    (Distances { mean, largest }, over_holes, at)
}

/// Integrals over one face.
#[derive(Debug)]
struct Measured {
    area: f64,
    covered: f64,
    integral: f64,
    farthest: Farthest,
}

impl Measured {
    fn new(mesh: &Mesh, face: &Face, samples: &FaceSamples, solid: &Solid) -> Self {
        let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[face.corners[k] as usize]);
        let area = (b - a).cross(c - a).length() / 2.0;
        let share = area / samples.weights.len() as f64;
        let mut measured =
            Self { area, covered: 0.0, integral: 0.0, farthest: Farthest::default() };
        for point in samples.points(mesh, face) {
            let foot = solid.foot(point);
            if !foot.at_rim {
                let distance = DVec3::distance(foot.point, point);
                measured.covered += share;
                measured.integral += share * distance;
                measured.farthest = measured.farthest.or_farther(Farthest { distance, at: point });
            }
        }
        measured
    }
}
