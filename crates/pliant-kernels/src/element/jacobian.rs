//! The derivative of the map from a reference cell.

use glam::DVec3;

use crate::math::Mat3;

/// ∂x/∂ξ = Σₐ xₐ ⊗ ∂Bₐ/∂ξ for the nodes and basis gradients of a cell.
pub fn jacobian(points: &[DVec3], gradients: &[DVec3]) -> Mat3 {
    points
        .iter()
        .zip(gradients)
        .fold(Mat3::ZERO, |sum, (x, gradient)| sum + Mat3::outer((*x).into(), (*gradient).into()))
}
