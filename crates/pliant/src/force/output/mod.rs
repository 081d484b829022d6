//! Stress and strain as fields over a body.

mod node_field;
mod strain;
mod stress;

pub use node_field::{NodeField, extrapolated};
pub use strain::{det_f, inverted_cells, matter_volumes, principal_stretch};
pub use stress::von_mises;
