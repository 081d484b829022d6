//! Choices made when a model is built.

use pliant_kernels::lanes::Dilation;

/// Choices made when a model is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelConfig {
    /// Degree of the quadrature (default `None`: exact for the stiffness of straight cells and
    /// for the patch test of curved ones). Higher costs time in proportion to its points.
    pub quadrature: Option<usize>,
    /// Where changes of volume are counted (default pointwise; [`Dilation::Mean`] keeps nearly
    /// incompressible cells from locking, at little cost).
    pub dilation: Dilation,
}
