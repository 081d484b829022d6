//! From the blocks of cells to a matrix in the unknowns.

mod assembly;
mod fold;

pub use assembly::Assembly;
pub(super) use fold::fold_ties;
