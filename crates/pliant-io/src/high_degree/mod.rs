//! Tetrahedra of degree 4 and more, which are lowered to degree 3 when read.
//!
//! A cell whose shape is of degree 3 or less keeps it. Any other is sampled, which can fold it: where a cell is
//! invalid, its edges and faces get a shape of lower degree, down to straight ones.

mod lowering;
mod nodes;
mod simplify;

pub(crate) use lowering::Lowering;
pub(crate) use nodes::{MAX_DEGREE, node_count};
pub(crate) use simplify::simplify;
