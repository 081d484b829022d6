//! What came out.

use glam::DVec3;
use pliant::math::parallel_map;
use pliant::mesh::{Face, Mesh};

use super::face_samples::FaceSamples;
use super::solid::Solid;

/// How far a boundary is from the surface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distances {
    /// Mean over the area of the boundary, in m.
    pub mean: f64,
    /// Largest found, in m.
    pub largest: f64,
}

impl Distances {
    /// In other units.
    pub(super) fn scaled(self, scale: f64) -> Self {
        Self { mean: self.mean * scale, largest: self.largest * scale }
    }
}

/// What was made of a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct TetReport {
    /// Length of the long edges at the surface where it is flat, in m.
    pub size: f64,
    /// Number of cells, all proved valid.
    pub cells: usize,
    /// Number of control points.
    pub nodes: usize,
    /// Number of parts that hang together by faces.
    pub pieces: usize,
    /// Cells left out: crumbs beyond necks too thin for cells of this size.
    pub dropped_cells: usize,
    /// Smallest and largest dihedral angle before curving, in rad.
    pub dihedral_angles: [f64; 2],
    /// Volume of the mesh, in m³.
    pub volume: f64,
    /// Volume that the surface encloses, in m³. If it is open, that of the cone from the middle of
    /// its bounding box.
    pub surface_volume: f64,
    /// Distance of the straight boundary to the surface, holes left out.
    pub straight: Distances,
    /// Distance of the curved boundary to the surface, holes left out.
    pub curved: Distances,
    /// Part of the boundary that lies over holes, 0 to 1.
    pub over_holes: f64,
    /// Control points that were not moved all the way to the surface, since a cell would have turned
    /// inside out.
    pub held_back: usize,
    /// Corners moved onto sharp edges.
    pub on_sharp_edges: usize,
    /// Edges of the surface with one triangle.
    pub open_edges: usize,
    /// Triangles that bound nothing.
    pub sheet_triangles: usize,
    /// How thick those were made, in m; `None` if they were left out or are none.
    pub sheet_thickness: Option<f64>,
    /// Vertices of the surface that lie outside the mesh and move as if its cells went on.
    pub vertices_outside: usize,
    /// Vertices so far outside that they were drawn nearer.
    pub vertices_drawn_in: usize,
    /// Largest distance of a vertex of the surface outside the mesh to it, in m: ears and wings that
    /// slipped through the lattice are this long.
    pub farthest_vertex: f64,
}

/// Distances of a boundary to the solid's, and the part of it over holes.
pub(super) fn distances(mesh: &Mesh, faces: &[Face], solid: &Solid) -> (Distances, f64) {
    /// Pieces of a side of a face: 64 points on each.
    const PIECES: usize = 8;
    let samples = FaceSamples::new(mesh.blocks[0].kind, PIECES);
    let measured: Vec<Measured> =
        parallel_map(faces, |face| Measured::new(mesh, face, &samples, solid));
    let sum = |part: fn(&Measured) -> f64| measured.iter().map(part).sum::<f64>();
    let (area, covered) = (sum(|m| m.area), sum(|m| m.covered));
    let mean = if covered > 0.0 { sum(|m| m.integral) / covered } else { 0.0 };
    let largest = measured.iter().map(|m| m.largest).fold(0.0, f64::max);
    (Distances { mean, largest }, if area > 0.0 { (1.0 - covered / area).max(0.0) } else { 0.0 })
}

/// One face: integrals over it.
#[derive(Debug)]
struct Measured {
    area: f64,
    covered: f64,
    integral: f64,
    largest: f64,
}

impl Measured {
    fn new(mesh: &Mesh, face: &Face, samples: &FaceSamples, solid: &Solid) -> Self {
        let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[face.corners[k] as usize]);
        let area = (b - a).cross(c - a).length() / 2.0;
        let share = area / samples.weights.len() as f64;
        let mut measured = Self { area, covered: 0.0, integral: 0.0, largest: 0.0 };
        for point in samples.points(mesh, face) {
            let foot = solid.foot(point);
            if !foot.at_rim {
                let distance = DVec3::distance(foot.point, point);
                measured.covered += share;
                measured.integral += share * distance;
                measured.largest = measured.largest.max(distance);
            }
        }
        measured
    }
}
