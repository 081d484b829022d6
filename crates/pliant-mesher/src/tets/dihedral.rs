//! Dihedral angles of tetrahedra.

use glam::DVec3;

/// Bounds of the dihedral angles of straight cells, in rad.
///
/// Isosurface stuffing on the uniform lattice keeps them between 10.78° and 164.74° (Labelle & Shewchuk 2007, theorem
/// 1). Any other step that moves corners must keep them within these bounds.
pub(super) const BOUNDS: [f64; 2] = [10.0 * DEGREE, 165.0 * DEGREE];

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The edges of a tetrahedron (first two corners) and the corners opposite to each.
const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// The smallest and the largest dihedral angle, in rad.
pub(super) fn dihedral_range(corners: &[DVec3; 4]) -> [f64; 2] {
    let mut range = [f64::INFINITY, 0.0f64];
    for [a, b, c, d] in EDGES {
        let edge = corners[b] - corners[a];
        let (m, n) = (edge.cross(corners[c] - corners[a]), edge.cross(corners[d] - corners[a]));
        // atan2 is accurate at all angles; acos is not near 0 and π.
        let angle = m.cross(n).length().atan2(m.dot(n));
        range = [range[0].min(angle), range[1].max(angle)];
    }
    range
}

/// Six times the signed volume.
pub(super) fn determinant([a, b, c, d]: &[DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a))
}

/// True if a straight cell has positive volume and its dihedral angles are within [`BOUNDS`].
pub(super) fn is_well_shaped(corners: &[DVec3; 4]) -> bool {
    let range = dihedral_range(corners);
    determinant(corners) > 0.0 && range[0] >= BOUNDS[0] && range[1] <= BOUNDS[1]
}
