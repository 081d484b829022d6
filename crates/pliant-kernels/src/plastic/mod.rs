//! Plastic flow at quadrature points, a pack of cells at a time.

mod flow;
mod return_map;
mod search;
mod symmetric;

pub use flow::FlowPack;
pub use return_map::{Matter, plastic_log};
pub use symmetric::{deviator, norm};
