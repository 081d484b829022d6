//! A point of a mesh.

use glam::DVec3;
use pliant_kernels::element::{Kind, shape, shape_gradient};

/// A point of a mesh: a cell, a reference coordinate in it, and an offset from there.
///
/// ```text
/// x = x(ξ) + ∂x/∂ξ(ξ) δ = Σₐ (Bₐ(ξ) + ∂Bₐ/∂ξ(ξ) · δ) xₐ
/// ```
///
/// - `ξ` a point in or on the boundary of the cell, `δ` the offset from it in reference coordinates
/// - `xₐ` the nodes of the cell, `Bₐ` their shape functions
///
/// The offset is zero for points of the cell. A point outside the mesh hangs on the cell by its offset, which turns and
/// stretches as the cell does at ξ: the cell is extended beyond ξ by its tangent map, not by its polynomials, which
/// diverge far outside.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeshPoint {
    /// The cell.
    pub cell: u32,
    /// ξ.
    pub xi: DVec3,
    /// δ.
    pub offset: DVec3,
}

impl MeshPoint {
    /// A point of a cell.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::body::MeshPoint;
    ///
    /// let point = MeshPoint::within(3, DVec3::splat(0.25));
    /// assert_eq!(point.offset, DVec3::ZERO);
    /// ```
    pub const fn within(cell: u32, xi: DVec3) -> Self {
        Self { cell, xi, offset: DVec3::ZERO }
    }

    /// The weights of the nodes of its cell, which has this kind. They sum to 1.
    pub(crate) fn weights(&self, kind: Kind) -> Vec<f64> {
        let mut weights = shape(kind, self.xi);
        if self.offset != DVec3::ZERO {
            let gradients = shape_gradient(kind, self.xi);
            weights.iter_mut().zip(gradients).for_each(|(w, g)| *w += g.dot(self.offset));
        }
        weights
    }
}
