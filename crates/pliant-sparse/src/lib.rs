//! Sparse symmetric matrices of 3×3 blocks, their Cholesky factors, and a small dense pseudo-inverse.
#![forbid(unsafe_code)]

mod block_matrix;
mod cholesky;
mod elimination_tree;
mod factorise;
mod ordering;
mod panel;
mod parts;
mod pseudo_inverse;
mod single_factor;
mod substitute;
mod supernodes;

pub use block_matrix::BlockMatrix;
pub use cholesky::{Cholesky, FactorError};
pub use pseudo_inverse::pseudo_inverse;
pub use single_factor::SingleFactor;
