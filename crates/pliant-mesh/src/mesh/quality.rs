//! Quality measures of the shape of cells.

use glam::DVec3;
use rayon::prelude::*;

use crate::element::{CellShape, Kind, edges, jacobian, reference_corners, shape_gradient};
use crate::math::Mat3;

use super::Mesh;

/// Shape quality of one cell, independent of size and position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellQuality {
    /// Smallest mean ratio at the corners and the middle: 1 for the ideal cell, near 0 for a nearly flat cell, 0
    /// where it is inverted.
    ///
    /// ```text
    /// η = 3 det(A)^(2/3) / ‖A‖²         A = J W⁻¹
    /// ```
    ///
    /// - `J` Jacobian of the cell, `W` that of the ideal cell of its shape: regular
    ///   tetrahedron, cube, prism and pyramid of equal edges
    ///
    /// Knupp 2001.
    pub mean_ratio: f64,
    /// Smallest det J divided by the largest, at the corners and the middle: 1 for a straight cell, negative for an
    /// inverted one.
    pub jacobian_ratio: f64,
    /// Smallest and largest dihedral angle of a tetrahedron, in rad, from its corners; `None` for other shapes.
    pub dihedral_angles: Option<[f64; 2]>,
}

/// Quality of a mesh, for reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QualitySummary {
    /// Smallest mean ratio of all cells.
    pub smallest_mean_ratio: f64,
    /// The cell with that mean ratio.
    pub worst_cell: usize,
    /// Average mean ratio over all cells.
    pub average_mean_ratio: f64,
    /// Smallest Jacobian ratio of all cells.
    pub smallest_jacobian_ratio: f64,
    /// Smallest and largest dihedral angle of all tetrahedra, in rad.
    pub dihedral_angles: Option<[f64; 2]>,
    /// Shortest and longest edge between corners, in m.
    pub edge_lengths: [f64; 2],
}

impl Mesh {
    /// Returns the quality of every cell, in order.
    pub fn qualities(&self) -> Vec<CellQuality> {
        let mut qualities = Vec::with_capacity(self.cell_count());
        for block in &self.blocks {
            let gauge = Gauge::new(block.kind);
            let cells = block.nodes.par_chunks_exact(block.kind.node_count());
            qualities.par_extend(cells.map(|nodes| gauge.quality(&self.cell_points(nodes))));
        }
        qualities
    }

    /// Returns the quality of the mesh; `None` if it has no cells.
    pub fn quality(&self) -> Option<QualitySummary> {
        let qualities = self.qualities();
        let ratio = |cell: &usize| qualities[*cell].mean_ratio;
        let worst_cell = (0..qualities.len()).min_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
        let sum: f64 = qualities.iter().map(|quality| quality.mean_ratio).sum();
        let least = qualities.iter().map(|q| q.jacobian_ratio).fold(f64::INFINITY, f64::min);
        Some(QualitySummary {
            smallest_mean_ratio: ratio(&worst_cell),
            worst_cell,
            average_mean_ratio: sum / qualities.len() as f64,
            smallest_jacobian_ratio: least,
            dihedral_angles: qualities.iter().filter_map(|q| q.dihedral_angles).reduce(widest),
            edge_lengths: self.edge_lengths(),
        })
    }

    /// Shortest and longest distance between the ends of an edge.
    fn edge_lengths(&self) -> [f64; 2] {
        let mut range = [f64::INFINITY, 0.0];
        for (kind, nodes) in self.cells() {
            for [a, b] in edges(kind.shape()) {
                let ends = [nodes[*a], nodes[*b]].map(|node| self.nodes[node as usize]);
                let length = ends[0].distance(ends[1]);
                range = widest(range, [length, length]);
            }
        }
        range
    }
}

/// The smallest range that contains both.
fn widest(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// Precomputed data to measure the cells of one kind.
struct Gauge {
    kind: Kind,
    gradients: Vec<Vec<DVec3>>,
    /// W⁻¹ at each of the points.
    ideal_inverse: Vec<Mat3>,
}

impl Gauge {
    fn new(kind: Kind) -> Self {
        let linear = Kind::of(kind.shape(), 1).expect("every shape has a linear element");
        let (points, ideal) = (sample_points(kind.shape()), ideal_corners(kind.shape()));
        let inverse = |xi: &DVec3| jacobian(&ideal, &shape_gradient(linear, *xi)).inverse();
        let gradients = points.iter().map(|xi| shape_gradient(kind, *xi)).collect();
        Self { kind, gradients, ideal_inverse: points.iter().map(inverse).collect() }
    }

    fn quality(&self, points: &[DVec3]) -> CellQuality {
        let (mut mean_ratio, mut dets) = (1.0f64, [f64::INFINITY, f64::NEG_INFINITY]);
        for (gradients, ideal_inverse) in self.gradients.iter().zip(&self.ideal_inverse) {
            let a = jacobian(points, gradients) * *ideal_inverse;
            mean_ratio = mean_ratio.min(mean_ratio_of(&a));
            dets = widest(dets, [a.det(), a.det()]);
        }
        let largest = dets[0].abs().max(dets[1].abs());
        let jacobian_ratio = if largest > 0.0 { dets[0] / largest } else { 0.0 };
        CellQuality { mean_ratio, jacobian_ratio, dihedral_angles: self.dihedral_angles(points) }
    }

    fn dihedral_angles(&self, points: &[DVec3]) -> Option<[f64; 2]> {
        if self.kind.shape() != CellShape::Tetrahedron {
            return None;
        }
        let angles = TET_EDGES.map(|[a, b, c, d]| {
            dihedral_angle(points[b] - points[a], points[c] - points[a], points[d] - points[a])
        });
        angles.map(|angle| [angle, angle]).into_iter().reduce(widest)
    }
}

/// Each edge of a tetrahedron (first two entries) and the two corners opposite to it.
const TET_EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// Angle between the half-planes that start at the line along `edge` and contain `a` and `b`.
fn dihedral_angle(edge: DVec3, a: DVec3, b: DVec3) -> f64 {
    let (m, n) = (edge.cross(a), edge.cross(b));
    m.cross(n).length().atan2(m.dot(n))
}

/// 3 det(A)^(2/3) / ‖A‖², zero where A is inverted.
fn mean_ratio_of(a: &Mat3) -> f64 {
    let (det, norm_squared) = (a.det(), a.norm_squared());
    if det > 0.0 && norm_squared > 0.0 { 3.0 * det.cbrt().powi(2) / norm_squared } else { 0.0 }
}

/// Corners of the ideal cell, whose edges all have length 1.
fn ideal_corners(shape: CellShape) -> Vec<DVec3> {
    let height = (2.0f64 / 3.0).sqrt();
    let triangle = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.75f64.sqrt()]];
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let level = |ring: &[[f64; 2]], z: f64| -> Vec<DVec3> {
        ring.iter().map(|[x, y]| DVec3::new(*x, *y, z)).collect()
    };
    match shape {
        CellShape::Tetrahedron => {
            let apex = DVec3::new(0.5, 0.75f64.sqrt() / 3.0, height);
            [level(&triangle, 0.0), vec![apex]].concat()
        }
        CellShape::Hexahedron => [level(&square, 0.0), level(&square, 1.0)].concat(),
        CellShape::Prism => [level(&triangle, 0.0), level(&triangle, 1.0)].concat(),
        CellShape::Pyramid => {
            [level(&square, 0.0), vec![DVec3::new(0.5, 0.5, 0.5f64.sqrt())]].concat()
        }
    }
}

/// The points where shape is measured: corners and middle.
///
/// The map of a pyramid is not smooth at its apex, but its Jacobian is constant along every line to the apex, so the
/// base is enough.
fn sample_points(shape: CellShape) -> Vec<DVec3> {
    let corners = reference_corners(shape);
    let base = if shape == CellShape::Pyramid { 4 } else { corners.len() };
    let mut points: Vec<DVec3> =
        corners[..base].iter().map(|xi| DVec3::from(xi.map(|x| x as f64))).collect();
    points.push(points.iter().sum::<DVec3>() / base as f64);
    points
}
