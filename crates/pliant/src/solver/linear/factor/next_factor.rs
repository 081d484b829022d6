//! A factor that is computed in stages, while an older one is in use.

use pliant_kernels::math::Mat3;
use pliant_sparse::SingleFactor;

use super::factored_system::FactoredSystem;

/// The next factor of a body: its matrix is assembled in one solve, factored in the next one, and used in the one after that, so that
/// no frame pays for all of it.
#[derive(Debug, Clone)]
pub(super) struct NextFactor {
    pub(super) system: FactoredSystem,
    pub(super) stage: Stage,
    /// Blocks of its matrix.
    pub(super) blocks: Vec<Mat3>,
    pub(super) single: SingleFactor,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing: there is no next factor.
    None,
    /// The matrix is assembled.
    Assembled,
    /// The matrix is factored in double precision.
    Factored,
}
