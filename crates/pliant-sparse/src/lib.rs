//! Sparse symmetric matrices of 3×3 blocks, their factors, and small dense decompositions.
//!
//! The one crate that knows `faer`: what that library compiles for its users is compiled here once, and not again with every
//! change of the engine.
#![forbid(unsafe_code)]

mod block_matrix;
mod cholesky;
mod ordering;
mod pseudo_inverse;

pub use block_matrix::BlockMatrix;
pub use cholesky::{Cholesky, FactorError};
pub use pseudo_inverse::pseudo_inverse;
