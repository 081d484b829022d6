//! Cells whose map from the reference cell is affine.

use glam::DVec3;

use crate::element::{Kind, lattice, reference_corners};
use crate::math::Mat3;

use super::Mesh;

/// Largest distance of a control point from its place in the affine cell, relative to the size of the cell: well
/// above rounding, well below any intended curvature.
const STRAIGHT_TOLERANCE: f64 = 1e-12;

impl Mesh {
    /// Returns for each cell whether its map is affine, so that one Jacobian is valid in all of it.
    ///
    /// A hexahedron, prism or pyramid is straight only if opposite edges of its quadrilaterals are
    /// parallel.
    pub fn straight_cells(&self) -> Vec<bool> {
        let mut straight = Vec::with_capacity(self.cell_count());
        for block in &self.blocks {
            let lattice = lattice(block.kind);
            let fits = |nodes| fits_lattice(block.kind, &lattice, &self.cell_points(nodes));
            straight.extend(block.cells().map(fits));
        }
        straight
    }

    /// Returns ∂x/∂ξ of a straight cell; for any other cell, the matrix of its edges at the first corner.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn straight_jacobian(&self, cell: usize) -> Mat3 {
        let (kind, nodes) = self.cell(cell);
        let (_, axes) = affine_frame(kind, &self.cell_points(nodes));
        Mat3(axes.map(Into::into))
    }
}

/// Returns true if the control points equal those of an affine cell with this lattice, up to rounding.
pub(super) fn fits_lattice(kind: Kind, lattice: &[[usize; 3]], points: &[DVec3]) -> bool {
    let (origin, axes) = affine_frame(kind, points);
    let limit =
        STRAIGHT_TOLERANCE * axes.iter().fold(0.0, |size: f64, axis| size.max(axis.length()));
    let p = kind.degree() as f64;
    lattice.iter().zip(points).all(|(node, point)| {
        let xi = node.map(|x| x as f64 / p);
        let place = origin + axes[0] * xi[0] + axes[1] * xi[1] + axes[2] * xi[2];
        point.distance(place) <= limit
    })
}

/// The corner at the origin of the reference cell, and the edges from it along the three axes.
pub(super) fn affine_frame(kind: Kind, points: &[DVec3]) -> (DVec3, [DVec3; 3]) {
    let corners = reference_corners(kind.shape());
    let at = |xi: [usize; 3]| {
        points[corners.iter().position(|corner| *corner == xi).expect("cells have unit axes")]
    };
    let origin = points[0];
    (origin, [at([1, 0, 0]) - origin, at([0, 1, 0]) - origin, at([0, 0, 1]) - origin])
}
