//! Settings of a model.

use pliant_kernels::lanes::Dilation;

/// Settings for building a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelConfig {
    /// Degree of the quadrature (default `None`: exact for the stiffness of straight cells and for the patch test of
    /// curved ones). The cost is proportional to the number of points, which grows with the degree.
    pub quadrature: Option<usize>,
    /// Where changes of volume are measured (default pointwise; [`Dilation::Mean`] prevents locking of nearly
    /// incompressible cells, at little cost).
    pub dilation: Dilation,
}
