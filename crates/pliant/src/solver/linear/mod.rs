//! Linear systems of a step, (CᵀAC) y = b, and the ways to solve them.

mod active;
mod assembly;
mod block_rows;
mod conjugate_gradient;
mod diagonal;
mod factor;
mod method;
mod multigrid;
mod nodes;
mod rigid_subspace;
mod single;
mod system;
mod system_factor;
mod system_solve;
mod vectors;

pub use assembly::Assembly;
pub use block_rows::BlockRows;
pub use conjugate_gradient::Operator;
pub(crate) use conjugate_gradient::{ConjugateGradient, Outcome, Preconditioner, Stop};
pub use nodes::{Scales, SystemParts};

pub(crate) use crate::body::Masses;
pub use system::LinearSystem;
