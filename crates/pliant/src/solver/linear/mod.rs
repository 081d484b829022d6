//! Linear systems of a step, (CᵀAC) y = b, and the ways to solve them.

mod active;
mod aggregates;
mod block_rows;
mod coarse_points;
mod confined;
mod conjugate_gradient;
mod diagonal;
mod exact_factor;
mod fold;
mod lazy_cholesky;
mod multigrid;
mod nodes;
mod smoother;
mod system;
mod vectors;

pub use block_rows::BlockRows;
pub use conjugate_gradient::{ConjugateGradient, Operator, Outcome, Preconditioner, Stop};
pub use nodes::{Masses, Parts, Scales};
pub use system::LinearSystem;
