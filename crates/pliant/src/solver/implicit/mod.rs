//! The implicit steppers.

mod degree;
mod energy;
mod history;
mod implicit;
mod joint_stage;
mod limit_step;
mod node_vectors;
mod nonlinear;
mod parts;
mod rules;
mod snapshot;
mod stage;
mod step;
mod trust_region;
mod turning;

pub use degree::{Adaptive, Prediction, Ties};
pub use implicit::Implicit;
