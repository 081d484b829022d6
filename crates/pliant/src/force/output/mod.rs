//! Stress and strain as fields over a body.

mod node_field;
mod strain;
mod stress;

pub(crate) use node_field::extrapolated;
pub use strain::{det_f, principal_stretch};
pub(crate) use strain::{inverted_cells, matter_volumes};
pub use stress::von_mises;
