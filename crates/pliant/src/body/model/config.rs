//! Settings of a model.

use pliant_kernels::lanes::Dilation;

/// Settings for building a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelConfig {
    /// Degree of the quadrature (default `None`: exact for the stiffness of straight cells and for the patch test of
    /// curved ones). The cost is proportional to the number of points, which grows with the degree.
    pub quadrature: Option<usize>,
    /// Where changes of volume are measured (default `None`: [`Dilation::Mean`] for the neo-Hookean laws, which keeps nearly incompressible
    /// cells from locking and changes nothing up to Poisson's ratio 0.4; pointwise for other laws).
    pub dilation: Option<Dilation>,
}
