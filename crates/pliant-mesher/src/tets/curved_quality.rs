//! The quality of curved tetrahedra: scaled Jacobian and dihedral angles.

use glam::{DMat3, DVec3};
use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_kernels::element::shape_gradient;
use pliant_kernels::math::parallel_map;

use super::det_form::DetForm;

/// The smallest scaled Jacobian of a curved cell.
pub(super) const MIN_SCALED_JACOBIAN: f64 = 0.1;

/// Bounds of the dihedral angles of curved cells, in rad. Those of straight cells are within narrower ones, so that
/// cells have room to be curved.
pub(super) const CURVED_BOUNDS: [f64; 2] = [5.0 * DEGREE, 170.0 * DEGREE];

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The number of bins of a histogram.
const BINS: usize = 10;

/// The corners at the reference points 0, e₁, e₂, e₃, and the gradients of their barycentric coordinates.
const SLOPES: [DVec3; 4] = [DVec3::NEG_ONE, DVec3::X, DVec3::Y, DVec3::Z];

/// The ends of each edge, and the two faces at it, by the corners opposite to them.
const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// The quality of the curved cells of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CurvedQuality {
    /// The smallest scaled Jacobian of a cell: min det J / max det J, bounded from below by Bernstein coefficients
    /// (Dey et al. 1999; Johnen et al. 2013). 1 for a straight cell.
    pub scaled_jacobian: f64,
    /// The smallest and the largest dihedral angle, in rad: the angle between the tangent planes of two faces, at points
    /// along their common edge.
    pub dihedral_angles: [f64; 2],
    /// The number of cells with a scaled Jacobian below 0.1, 0.2, … 1.
    pub scaled_jacobians: [usize; BINS],
    /// The number of cells whose smallest dihedral angle is below 9°, 18°, … 90°.
    pub smallest_angles: [usize; BINS],
}

impl CurvedQuality {
    /// The quality of a mesh of tetrahedra of one degree.
    pub(super) fn of(mesh: &Mesh) -> Self {
        let gauge = CurvedGauge::new(mesh.blocks[0].kind);
        let cells: Vec<usize> = (0..mesh.cell_count()).collect();
        let measure = |cell: &usize| {
            let points = mesh.cell_points(mesh.cell(*cell).1);
            (gauge.scaled_jacobian(&points), gauge.dihedral_range(&points))
        };
        let none =
            Self { scaled_jacobian: 1.0, dihedral_angles: [f64::INFINITY, 0.0], ..Self::default() };
        parallel_map(&cells, measure)
            .into_iter()
            .fold(none, |sum, (jacobian, range)| sum.and(jacobian, range))
    }

    /// Adds a cell.
    fn and(mut self, jacobian: f64, [least, most]: [f64; 2]) -> Self {
        let bin = |share: f64| ((share * BINS as f64).max(0.0) as usize).min(BINS - 1);
        let [low, high] = self.dihedral_angles;
        self.scaled_jacobian = self.scaled_jacobian.min(jacobian);
        self.dihedral_angles = [low.min(least), high.max(most)];
        self.scaled_jacobians[bin(jacobian)] += 1;
        self.smallest_angles[bin(least / (90.0 * DEGREE))] += 1;
        self
    }
}

/// Measures cells of one kind.
#[derive(Debug)]
pub(super) struct CurvedGauge {
    det: DetForm,
    /// Points along the edges.
    samples: Vec<EdgeSample>,
    cosines_of_bounds: [f64; 2],
}

/// A point of some edges: a point inside one edge, or a corner of three.
#[derive(Debug)]
struct EdgeSample {
    /// The gradients of the shape functions.
    gradients: Vec<DVec3>,
    edges: Vec<usize>,
}

impl CurvedGauge {
    /// Prepares the polynomials and the points.
    pub(super) fn new(kind: Kind) -> Self {
        let at = |corner: usize| if corner == 0 { DVec3::ZERO } else { SLOPES[corner] };
        let pieces = 2 * kind.degree();
        let mut samples: Vec<EdgeSample> = Vec::new();
        for corner in 0..4 {
            let edges = (0..6).filter(|edge| EDGES[*edge][..2].contains(&corner)).collect();
            samples.push(EdgeSample { gradients: shape_gradient(kind, at(corner)), edges });
        }
        for (edge, [a, b, ..]) in EDGES.into_iter().enumerate() {
            // The angles of a straight cell are the same all along its edges.
            let inner = if kind.degree() == 1 { 1..1 } else { 1..pieces };
            samples.extend(inner.map(|k| {
                let xi = at(a).lerp(at(b), k as f64 / pieces as f64);
                EdgeSample { gradients: shape_gradient(kind, xi), edges: vec![edge] }
            }));
        }
        let cosines_of_bounds = CURVED_BOUNDS.map(f64::cos);
        Self { det: DetForm::new(kind), samples, cosines_of_bounds }
    }

    /// True if the scaled Jacobian of a cell is proved to be large enough, and its dihedral angles are within bounds.
    pub(super) fn is_fit(&self, points: &[DVec3]) -> bool {
        let [least, most] = self.cosines_of_bounds;
        self.cosines(points).all(|cosine| cosine <= least && cosine >= most)
            && self.det.is_ratio_at_least(self.det.whole(points), MIN_SCALED_JACOBIAN)
    }

    /// A lower bound of the scaled Jacobian of a cell, at most about one per cent below it.
    pub(super) fn scaled_jacobian(&self, points: &[DVec3]) -> f64 {
        self.det.ratio(self.det.whole(points), MIN_SCALED_JACOBIAN).proved
    }

    /// The smallest and the largest dihedral angle of a cell, in rad.
    pub(super) fn dihedral_range(&self, points: &[DVec3]) -> [f64; 2] {
        let angles = self.cosines(points).map(|cosine| cosine.clamp(-1.0, 1.0).acos());
        angles.fold([f64::INFINITY, 0.0], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// The cosines of the dihedral angles at points along the edges.
    ///
    /// ```text
    /// cos θ = −nᵢ · nⱼ / (|nᵢ| |nⱼ|)        nᵢ = J⁻ᵀ ∇λᵢ
    /// ```
    ///
    /// - `nᵢ` the inward normal of the face opposite to corner i, `λᵢ` the barycentric coordinate of the corner
    fn cosines<'a>(&'a self, points: &'a [DVec3]) -> impl Iterator<Item = f64> + 'a {
        self.samples.iter().flat_map(move |sample| {
            let cofactor = cofactor(points, &sample.gradients);
            let normals = SLOPES.map(|slope| cofactor * slope);
            sample.edges.iter().map(move |edge| {
                let [_, _, i, j] = EDGES[*edge];
                let squares = normals[i].length_squared() * normals[j].length_squared();
                -normals[i].dot(normals[j]) / squares.sqrt()
            })
        })
    }
}

/// det J · J⁻ᵀ at a point with these gradients of the shape functions: the cofactor matrix of J.
fn cofactor(points: &[DVec3], gradients: &[DVec3]) -> DMat3 {
    let mut columns = [DVec3::ZERO; 3];
    for (point, gradient) in points.iter().zip(gradients) {
        columns[0] += *point * gradient.x;
        columns[1] += *point * gradient.y;
        columns[2] += *point * gradient.z;
    }
    let [a, b, c] = columns;
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}
