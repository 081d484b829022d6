//! A factor that is computed in stages, while an older one is in use.

use pliant_kernels::math::Mat3;
use pliant_sparse::SingleFactor;

use super::factored_system::FactoredSystem;

/// The next factor of a body: its matrix is assembled in one solve and factored in the following ones, supernode by supernode, so that
/// no frame pays for all of it.
#[derive(Debug, Clone)]
pub(super) struct NextFactor {
    pub(super) system: FactoredSystem,
    /// Number of supernodes that are factored; `None` if there is no next factor.
    pub(super) done: Option<usize>,
    /// Blocks of its matrix.
    pub(super) blocks: Vec<Mat3>,
    pub(super) single: SingleFactor,
}
