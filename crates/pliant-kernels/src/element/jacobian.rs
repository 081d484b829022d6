//! The derivative of the map from a reference cell.

use glam::DVec3;

use crate::math::{Mat3, Vec3};

/// ∂x/∂ξ = Σₐ xₐ ⊗ ∂Bₐ/∂ξ for the nodes and basis gradients of a cell.
pub fn jacobian<'a, G: Copy + Into<Vec3>>(
    points: impl IntoIterator<Item = &'a DVec3>,
    gradients: &[G],
) -> Mat3 {
    points
        .into_iter()
        .zip(gradients)
        .fold(Mat3::ZERO, |sum, (x, gradient)| sum + Mat3::outer((*x).into(), (*gradient).into()))
}
