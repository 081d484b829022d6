//! Fill-reducing elimination orders.

mod minimum_degree;
mod neighbours;
mod nested_dissection;

pub(crate) use minimum_degree::minimum_degree;
pub(crate) use neighbours::Neighbours;
pub(crate) use nested_dissection::nested_dissection;
